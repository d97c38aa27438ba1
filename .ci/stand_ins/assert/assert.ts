import { AssertionError } from "./assertion_error.ts";

/** Asserts that a value is truthy. */
export function assert(expr: unknown, msg = ""): asserts expr {
  if (!expr) throw new AssertionError(msg);
}
