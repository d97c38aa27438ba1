import { show } from "./_fail.ts";
import { AssertionError } from "./assertion_error.ts";

/** Asserts that a value is greater than another one. */
export function assertGreater<T>(actual: T, expected: T, msg?: string): void {
  if (actual > expected) return;
  throw new AssertionError(
    msg ?? `${show(actual)} is not greater than ${show(expected)}`,
  );
}
