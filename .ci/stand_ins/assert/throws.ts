import { checkError, type ErrorClassOrMsg } from "./_check_error.ts";
import { failWith } from "./_fail.ts";

/** Asserts that a function throws, and returns what it threw. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
/**
 * Asserts that a function throws an error of a class, with a text in its
 * message, and returns the error.
 */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  // deno-lint-ignore no-explicit-any
  ErrorClass: abstract new (...args: any[]) => E,
  msgIncludes?: string,
  msg?: string,
): E;
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  errorClassOrMsg?: ErrorClassOrMsg<E>,
  msgIncludes?: string,
  msg?: string,
): unknown {
  const [errorClass, note] = typeof errorClassOrMsg === "string"
    ? [undefined, errorClassOrMsg]
    : [errorClassOrMsg, msg];

  try {
    fn();
  } catch (error) {
    checkError(error, errorClass, msgIncludes, note);
    return error;
  }
  failWith("The function did not throw", note);
}
