import { AssertionError as NodeAssertionError } from "node:assert";
import { AssertionError } from "./assertion_error.ts";

/** Throws an `AssertionError` that says what failed and, if given, `msg`. */
export function failWith(failure: string, msg?: string): never {
  throw new AssertionError(msg ? `${failure}: ${msg}` : failure);
}

/** Throws like {@linkcode failWith}, with the differing lines of two values. */
export function failWithDiff(
  failure: string,
  actual: unknown,
  expected: unknown,
  msg?: string,
): never {
  const { message } = new NodeAssertionError({
    actual,
    expected,
    operator: "deepStrictEqual",
  });
  const diff = message.slice(message.indexOf("\n")).trimEnd();
  throw new AssertionError(`${msg ? `${failure}: ${msg}` : failure}${diff}`);
}

/** Shows a value in a message, in full. */
export function show(value: unknown): string {
  return Deno.inspect(value, {
    compact: false,
    depth: Infinity,
    iterableLimit: Infinity,
    sorted: true,
    strAbbreviateSize: Infinity,
  });
}
