import { failWith } from "./_fail.ts";

/** Asserts that a value is neither `null` nor `undefined`. */
export function assertExists<T>(
  actual: T,
  msg?: string,
): asserts actual is NonNullable<T> {
  if (actual === undefined || actual === null) {
    failWith(`The value is ${actual}`, msg);
  }
}
