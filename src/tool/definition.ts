/**
 * The tool as it is offered to a model.
 *
 * @module
 */

import { ACTIONS, MAX_TEXT_LENGTH, STATUSES } from "../model/vocabulary.ts";

/** A tool definition, as plain JSON. */
export interface ToolDefinition {
  /** The name that the model calls. */
  readonly name: string;
  /** What the model reads about it. */
  readonly description: string;
  /** The arguments, as one flat JSON Schema object. */
  readonly inputSchema: ToolSchema;
}

/** The JSON Schema of a tool's arguments. */
export interface ToolSchema {
  /** Always an object. */
  readonly type: "object";
  /** The arguments, by name. */
  readonly properties: Readonly<Record<string, ToolProperty>>;
  /** The names of the arguments that must be there. */
  readonly required: readonly string[];
  /** No other arguments are taken. */
  readonly additionalProperties: false;
}

/** The JSON Schema of one argument. */
export interface ToolProperty {
  /** The type; two types only where `null` stands for "not given". */
  readonly type: string | readonly string[];
  /** What the model reads about it. */
  readonly description: string;
  /** The legal values. */
  readonly enum?: readonly (string | null)[];
  /** The type of an array's items. */
  readonly items?: { readonly type: "string" };
  /** The greatest length of a string. */
  readonly maxLength?: number;
}

// OpenAI's Chat Completions API, and others that speak it, take at most 1024 characters.
const DESCRIPTION =
  `Keeps the work of this session as a graph of tasks that lasts across turns \
and restarts. It is for work that you will come back to, not a to-do list for one turn, and it \
starts no subagents.

add: a new task from "content", optionally "blockedBy" and "active_form". Its id is made for you \
and returned.
update: changes "content", "status", "blockedBy" or "active_form" of the task "id"; what you leave \
out stays. "blockedBy" replaces the whole list, [] clears it. Say status "in_progress" when you start.
complete: marks the task "id" done. Tasks that waited for it become ready.
remove: marks the task "id" deleted; update with another status restores it.
list: all tasks, or those of one "status_filter".
blocked: the tasks that cannot start yet, because a blocker is neither completed nor deleted.

A change returns the task and a snapshot of the graph, or the part of it that the change has to do \
with; that answer is authoritative. Cycles and unknown ids are refused: read the error and correct \
the call.`;

const PROPERTIES = {
  action: { type: "string", description: "What to do.", enum: ACTIONS },
  id: {
    type: "string",
    description:
      "The task's id, as add returned it. For update, complete and remove.",
  },
  content: {
    type: "string",
    description:
      "What is to be done, in a few words. Required for add; optional for update.",
    maxLength: MAX_TEXT_LENGTH,
  },
  active_form: {
    type: "string",
    description:
      'The same in the present continuous ("Seeding fixtures"), shown while the task is in ' +
      "progress. For add and update.",
    maxLength: MAX_TEXT_LENGTH,
  },
  blockedBy: {
    type: "array",
    description:
      "Ids of the tasks that must be done before this one. For add and update.",
    items: { type: "string" },
  },
  status: {
    type: "string",
    description: "The new status. For update.",
    enum: STATUSES,
  },
  status_filter: {
    type: "string",
    description: "Only tasks of this status. For list.",
    enum: STATUSES,
  },
} as const satisfies ToolSchema["properties"];

/**
 * The `tasks` tool, for providers that take a JSON Schema: one flat object
 * without combinators, references or type arrays, of which only `action` is
 * required. What an action needs is checked when it is called.
 *
 * @example Offer the tool to a model
 * ```ts
 * import { tasksTool } from "@kin/tasks-dag";
 * import { assertEquals } from "@std/assert";
 *
 * const forAnthropic = {
 *   name: tasksTool.name,
 *   description: tasksTool.description,
 *   input_schema: tasksTool.inputSchema,
 * };
 * const forOpenAI = {
 *   type: "function",
 *   function: {
 *     name: tasksTool.name,
 *     description: tasksTool.description,
 *     parameters: tasksTool.inputSchema,
 *   },
 * };
 * assertEquals(forAnthropic.name, "tasks");
 * assertEquals(forOpenAI.function.parameters.required, ["action"]);
 * ```
 */
export const tasksTool: ToolDefinition = {
  name: "tasks",
  description: DESCRIPTION,
  inputSchema: {
    type: "object",
    properties: PROPERTIES,
    required: ["action"],
    additionalProperties: false,
  },
};

/**
 * The `tasks` tool for providers whose strict mode wants every argument to be
 * required: those that an action does not need can be `null`.
 *
 * @example Offer the tool in strict mode
 * ```ts
 * import { strictTasksTool } from "@kin/tasks-dag";
 * import { assertEquals } from "@std/assert";
 *
 * const { required, properties } = strictTasksTool.inputSchema;
 * assertEquals(required, Object.keys(properties));
 * ```
 */
export const strictTasksTool: ToolDefinition = {
  name: tasksTool.name,
  description: DESCRIPTION,
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(
      Object.entries<ToolProperty>(PROPERTIES).map(([name, property]) => [
        name,
        name === "action" ? property : nullable(property),
      ]),
    ),
    required: Object.keys(PROPERTIES),
    additionalProperties: false,
  },
};

/** The argument, or `null`; strict modes do not take a greatest length. */
function nullable({ maxLength: _, ...property }: ToolProperty): ToolProperty {
  return {
    ...property,
    type: [property.type, "null"].flat(),
    ...(property.enum !== undefined && { enum: [...property.enum, null] }),
  };
}
