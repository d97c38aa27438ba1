import { failWith, show } from "./_fail.ts";
import { equal } from "./equal.ts";

/** Asserts that two values are not deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void {
  if (!equal(actual, expected)) return;
  failWith(`The values are equal, both ${show(actual)}`, msg);
}
