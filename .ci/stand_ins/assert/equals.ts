import { failWithDiff } from "./_fail.ts";
import { equal } from "./equal.ts";

/** Asserts that two values are deeply equal. */
export function assertEquals<T>(actual: T, expected: T, msg?: string): void {
  if (equal(actual, expected)) return;
  failWithDiff("The values differ", actual, expected, msg);
}
