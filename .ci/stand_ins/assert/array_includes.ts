import { failWith, show } from "./_fail.ts";
import { equal } from "./equal.ts";

/** A list of any kind that is no string. */
export type ArrayLikeArg<T> = ArrayLike<T> & object;

/** Asserts that a list has an item deeply equal to each expected one. */
export function assertArrayIncludes<T>(
  actual: ArrayLikeArg<T>,
  expected: ArrayLikeArg<T>,
  msg?: string,
): void {
  const items = Array.from(actual);
  const missing = Array.from(expected).filter((item) =>
    !items.some((other) => equal(item, other))
  );
  if (missing.length === 0) return;
  failWith(`${show(actual)} lacks ${show(missing)}`, msg);
}
