import { stripVTControlCharacters } from "node:util";
import { failWith, show } from "./_fail.ts";

/** A class of errors, or the note for the case that the assertion fails. */
export type ErrorClassOrMsg<E extends Error> =
  // deno-lint-ignore no-explicit-any
  | (abstract new (...args: any[]) => E)
  | string
  | undefined;

/** Asserts that what was thrown is of a class and has a text in its message. */
export function checkError<E extends Error>(
  thrown: unknown,
  errorClass: Exclude<ErrorClassOrMsg<E>, string>,
  msgIncludes = "",
  msg?: string,
): void {
  if (!errorClass) return;
  if (!(thrown instanceof Error)) {
    failWith(`Not an error: ${show(thrown)}`, msg);
  }
  if (!(thrown instanceof errorClass)) {
    failWith(`Expected ${errorClass.name}, got ${show(thrown)}`, msg);
  }
  const message = stripVTControlCharacters(thrown.message);
  if (!message.includes(stripVTControlCharacters(msgIncludes))) {
    failWith(
      `The error's message ${show(message)} lacks ${show(msgIncludes)}`,
      msg,
    );
  }
}
