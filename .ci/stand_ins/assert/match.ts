import { failWith, show } from "./_fail.ts";

/** Asserts that a string matches a pattern. */
export function assertMatch(
  actual: string,
  expected: RegExp,
  msg?: string,
): void {
  if (expected.test(actual)) return;
  failWith(`${show(actual)} does not match ${expected}`, msg);
}
