import { AssertionError } from "./assertion_error.ts";

/** What {@linkcode assertFalse} accepts. */
export type Falsy = false | 0 | 0n | "" | null | undefined;

/** Asserts that a value is falsy. */
export function assertFalse(expr: unknown, msg = ""): asserts expr is Falsy {
  if (expr) throw new AssertionError(msg);
}
