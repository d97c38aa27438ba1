import { failWith, show } from "./_fail.ts";

/** Asserts that a value is an instance of a class. */
export function assertInstanceOf<
  // deno-lint-ignore no-explicit-any
  T extends abstract new (...args: any[]) => any,
>(
  actual: unknown,
  expectedType: T,
  msg = "",
): asserts actual is InstanceType<T> {
  if (actual instanceof expectedType) return;
  failWith(`Not an instance of ${expectedType.name}: ${show(actual)}`, msg);
}
