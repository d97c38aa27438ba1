import { show } from "./_fail.ts";
import { AssertionError } from "./assertion_error.ts";

/** Asserts that a value is less than or equal to another one. */
export function assertLessOrEqual<T>(
  actual: T,
  expected: T,
  msg?: string,
): void {
  if (actual <= expected) return;
  throw new AssertionError(
    msg ?? `${show(actual)} is not less than or equal to ${show(expected)}`,
  );
}
