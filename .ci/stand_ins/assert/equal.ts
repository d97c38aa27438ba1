import { isDeepStrictEqual, types } from "node:util";
import { isObject } from "./_is_object.ts";

/** The tags of built-in objects whose text says all about them. */
const TEXTUAL =
  /^\[object (RegExp|URL|URLSearchParams|Intl\.Locale|Temporal\..+)\]$/;

/**
 * Tells whether two values are deeply equal.
 *
 * It differs from `isDeepStrictEqual` of `node:util` in that 0 equals -0, an
 * object without prototype equals a plain one, dates are equal whatever their
 * class, and instances of a class also have to agree in their accessors and
 * their properties that are not enumerable (so errors, which bear a stack).
 */
export function equal(a: unknown, b: unknown): boolean {
  return compare(a, b, new Map());
}

/** Compares two values; `seen` has the pairs of objects met on the way. */
function compare(a: unknown, b: unknown, seen: Map<object, object>): boolean {
  if (a === b || Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (a instanceof Date && b instanceof Date) {
    return Object.is(a.getTime(), b.getTime());
  }
  if (prototypeOf(a) !== prototypeOf(b)) return false;
  if (a instanceof WeakMap || a instanceof WeakSet) {
    throw new TypeError("The content of a weak collection cannot be compared");
  }

  if (seen.get(a) === b) return true;
  seen.set(a, b);
  const same = compareContent(a, b, seen);
  if (!same) seen.delete(a);
  return same;
}

/** Compares two objects that have the same prototype. */
function compareContent(
  a: object,
  b: object,
  seen: Map<object, object>,
): boolean {
  if (types.isAnyArrayBuffer(a)) return isDeepStrictEqual(a, b);
  if (TEXTUAL.test(Object.prototype.toString.call(a))) {
    return String(a) === String(b);
  }
  if (types.isTypedArray(a) && types.isTypedArray(b)) {
    return compareLists([...a], [...b], seen);
  }
  if (isCollection(a) && isCollection(b)) {
    return compareUnordered([...a], [...b], seen);
  }
  return [...comparedKeys(a), ...comparedKeys(b)].every((key) =>
    key in a && key in b &&
    compare(Reflect.get(a, key), Reflect.get(b, key), seen)
  );
}

/** Compares lists item by item. */
function compareLists(
  a: unknown[],
  b: unknown[],
  seen: Map<object, object>,
): boolean {
  return a.length === b.length &&
    a.every((item, index) => compare(item, b[index], seen));
}

/** Compares lists in which the order does not matter. */
function compareUnordered(
  a: unknown[],
  b: unknown[],
  seen: Map<object, object>,
): boolean {
  const rest = [...b];
  return a.length === b.length && a.every((item) => {
    const index = rest.findIndex((other) => compare(item, other, seen));
    if (index >= 0) rest.splice(index, 1);
    return index >= 0;
  });
}

/** Lists the properties by which an object is compared. */
function comparedKeys(value: object): PropertyKey[] {
  let prototype = prototypeOf(value);
  if (prototype === Object.prototype || prototype === Array.prototype) {
    return Reflect.ownKeys({ ...value });
  }
  const keys = Reflect.ownKeys(value);
  while (prototype !== Object.prototype) {
    for (const key of Reflect.ownKeys(prototype)) {
      if (Object.getOwnPropertyDescriptor(prototype, key)?.get) keys.push(key);
    }
    prototype = prototypeOf(prototype);
  }
  return keys;
}

function isCollection(
  value: object,
): value is Set<unknown> | Map<unknown, unknown> {
  return value instanceof Set || value instanceof Map;
}

/** Returns the prototype of an object; having none is being plain. */
function prototypeOf(value: object): object {
  return Object.getPrototypeOf(value) ?? Object.prototype;
}
