/**
 * The arguments of the tool, in a form that every provider's types take.
 *
 * @module
 */

import type { ToolDefinition, ToolProperty } from "../definition.ts";

/**
 * The JSON Schema of a tool's arguments, as providers declare it. It is a type
 * and not an interface, and `required` is a list that may be changed, since
 * their own types ask for both.
 */
export type InputSchema = {
  /** Always an object. */
  readonly type: "object";
  /** The arguments, by name. */
  readonly properties: Readonly<Record<string, ToolProperty>>;
  /** The names of the arguments that must be there. */
  readonly required: string[];
  /** No other arguments are taken. */
  readonly additionalProperties: false;
};

/** A copy of a tool's schema, so that what a host does to it stays there. */
export function inputSchemaOf({ inputSchema }: ToolDefinition): InputSchema {
  const schema = structuredClone(inputSchema);
  return { ...schema, required: [...schema.required] };
}

/** The same without the greatest lengths, of which not every provider takes any. */
export function withoutLengths(tool: ToolDefinition): InputSchema {
  const schema = inputSchemaOf(tool);
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties).map((
        [name, { maxLength: _, ...property }],
      ): [string, ToolProperty] => [name, property]),
    ),
  };
}
