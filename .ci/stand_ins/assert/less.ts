import { show } from "./_fail.ts";
import { AssertionError } from "./assertion_error.ts";

/** Asserts that a value is less than another one. */
export function assertLess<T>(actual: T, expected: T, msg?: string): void {
  if (actual < expected) return;
  throw new AssertionError(
    msg ?? `${show(actual)} is not less than ${show(expected)}`,
  );
}
