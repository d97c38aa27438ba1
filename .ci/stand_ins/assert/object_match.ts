import { failWithDiff } from "./_fail.ts";
import { isObject } from "./_is_object.ts";
import { equal } from "./equal.ts";

/**
 * Asserts that an object has the expected properties, whatever else it has.
 *
 * The same goes for objects within it, arrays may be longer, maps and sets
 * larger than expected, and classes do not matter.
 */
export function assertObjectMatch(
  // deno-lint-ignore no-explicit-any
  actual: Record<PropertyKey, any>,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void {
  if (matches(actual, expected, new Map())) return;
  failWithDiff("The object does not match", actual, expected, msg);
}

/** Tells whether `actual` has all that is in `expected`. */
function matches(
  actual: unknown,
  expected: unknown,
  seen: Map<object, object>,
): boolean {
  if (!isObject(actual) || !isObject(expected) || isLeaf(actual, expected)) {
    return equal(actual, expected);
  }
  if (seen.get(actual) === expected) return true;
  seen.set(actual, expected);

  if (expected instanceof Set) {
    return actual instanceof Set && expected.isSubsetOf(actual);
  }
  if (expected instanceof Map) {
    return actual instanceof Map &&
      [...expected].every(([key, value]) =>
        actual.has(key) && matches(actual.get(key), value, seen)
      );
  }
  if (Array.isArray(expected)) {
    return Array.isArray(actual) && actual.length >= expected.length &&
      expected.every((item, index) => matches(actual[index], item, seen));
  }
  return Reflect.ownKeys(expected).every((key) =>
    Object.hasOwn(actual, key) &&
    matches(Reflect.get(actual, key), Reflect.get(expected, key), seen)
  );
}

/** Tells whether one of two objects has to be compared as a whole. */
function isLeaf(...values: object[]): boolean {
  return values.some((value) =>
    value instanceof Date || value instanceof RegExp
  );
}
