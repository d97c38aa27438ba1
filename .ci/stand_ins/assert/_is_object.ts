/** Tells whether a value is an object, and no function. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
