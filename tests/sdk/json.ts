// Reads what a client sent. Whatever has another shape is refused.

import { demand } from "./conversation.ts";

/** An object with these keys and no others; those that end with `?` may be missing. */
export function asObject(
  value: unknown,
  keys: readonly string[],
  where: string,
): Readonly<Record<string, unknown>> {
  demand(
    typeof value === "object" && value !== null && !Array.isArray(value),
    `${where} must be an object`,
  );
  const fields: Record<string, unknown> = { ...value };
  const known = keys.map((key) => key.replace("?", ""));
  const extra = Object.keys(fields).filter((key) => !known.includes(key));
  demand(extra.length === 0, `${where} must not have ${extra.join()}`);
  const missing = keys.filter((key) => !key.endsWith("?") && !(key in fields));
  demand(missing.length === 0, `${where} must have ${missing.join()}`);
  return fields;
}

/** A string that is not empty. */
export function asText(value: unknown, where: string): string {
  demand(
    typeof value === "string" && value !== "",
    `${where} must be a string that is not empty`,
  );
  return value;
}

/** A list that is not empty. */
export function asList(value: unknown, where: string): readonly unknown[] {
  demand(
    Array.isArray(value) && value.length > 0,
    `${where} must be a list that is not empty`,
  );
  return value;
}
