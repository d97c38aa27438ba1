import { failWith, show } from "./_fail.ts";

/** Asserts that two values are not the same, as `Object.is` has it. */
export function assertNotStrictEquals<T>(
  actual: T,
  expected: T,
  msg?: string,
): void {
  if (!Object.is(actual, expected)) return;
  failWith(`The values are the same: ${show(actual)}`, msg);
}
