import { failWith, show } from "./_fail.ts";

/** Asserts that a string does not match a pattern. */
export function assertNotMatch(
  actual: string,
  expected: RegExp,
  msg?: string,
): void {
  if (!expected.test(actual)) return;
  failWith(`${show(actual)} matches ${expected}`, msg);
}
