import { checkError, type ErrorClassOrMsg } from "./_check_error.ts";
import { failWith } from "./_fail.ts";

/** Asserts that a function's promise rejects, and resolves to the reason. */
export function assertRejects(
  fn: () => PromiseLike<unknown>,
  msg?: string,
): Promise<unknown>;
/**
 * Asserts that a function's promise rejects with an error of a class, with a
 * text in its message, and resolves to the error.
 */
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  // deno-lint-ignore no-explicit-any
  ErrorClass: abstract new (...args: any[]) => E,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
export async function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  errorClassOrMsg?: ErrorClassOrMsg<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<unknown> {
  const [errorClass, note] = typeof errorClassOrMsg === "string"
    ? [undefined, errorClassOrMsg]
    : [errorClassOrMsg, msg];

  let promise: PromiseLike<unknown>;
  try {
    promise = fn();
  } catch {
    failWith("The function threw instead of returning a promise", note);
  }
  try {
    await promise;
  } catch (error) {
    checkError(error, errorClass, msgIncludes, note);
    return error;
  }
  failWith("The function's promise did not reject", note);
}
