import { failWith, show } from "./_fail.ts";

/** Asserts that a string includes another one. */
export function assertStringIncludes(
  actual: string,
  expected: string,
  msg?: string,
): void {
  if (actual.includes(expected)) return;
  failWith(`${show(actual)} does not include ${show(expected)}`, msg);
}
