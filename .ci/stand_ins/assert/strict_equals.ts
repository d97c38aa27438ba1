import { failWithDiff } from "./_fail.ts";

/** Asserts that two values are the same, as `Object.is` has it. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T {
  if (Object.is(actual, expected)) return;
  failWithDiff("The values are not the same", actual, expected, msg);
}
