/**
 * What the tool answers, as JSON Schema.
 *
 * @module
 */

import type { ErrorData, Refusal } from "../../model/errors.ts";
import type {
  ChangeResult,
  ListResult,
  Snapshot,
  Task,
} from "../../model/task.ts";
import { ACTIONS, STATUSES } from "../../model/vocabulary.ts";

/** The JSON Schema of a value in what the tool answers. */
export interface OutputProperty {
  /** The type. */
  readonly type: "object" | "array" | "string" | "integer";
  /** What it is. */
  readonly description?: string;
  /** The values that there are. */
  readonly enum?: readonly string[];
  /** An array's items. */
  readonly items?: OutputProperty;
  /** The fields of an object, by name. */
  readonly properties?: Readonly<Record<string, OutputProperty>>;
  /** The names of the fields that are always there. */
  readonly required?: readonly string[];
  /** There are no other fields. */
  readonly additionalProperties?: false;
}

/**
 * The JSON Schema of what the tool answers. It is a type and not an interface,
 * since the MCP SDK's own types ask for it.
 */
export type OutputSchema = {
  /** Always an object. */
  readonly type: "object";
  /** The fields, by name. */
  readonly properties: Readonly<Record<string, OutputProperty>>;
  /** There are no other fields. */
  readonly additionalProperties: false;
};

const IDS: OutputProperty = { type: "array", items: { type: "string" } };

const TASK: OutputProperty = {
  type: "object",
  properties: {
    id: { type: "string" },
    content: { type: "string" },
    status: { type: "string", enum: STATUSES },
    active_form: { type: "string" },
    blockedBy: IDS,
    blocks: IDS,
    completed_at: { type: "integer", description: "In unix milliseconds." },
  } satisfies Readonly<Record<keyof Task, OutputProperty>>,
  required: ["id", "content", "status"],
  additionalProperties: false,
};

const SNAPSHOT: OutputProperty = {
  type: "object",
  description: "The whole graph after the call; absent for blocked.",
  properties: {
    tasks: { type: "array", items: TASK },
  } satisfies Readonly<Record<keyof Snapshot, OutputProperty>>,
  required: ["tasks"],
  additionalProperties: false,
};

const ERROR: OutputProperty = {
  type: "object",
  description: "Why the call was refused; then nothing else but the action.",
  properties: {
    code: { type: "string" },
    message: { type: "string" },
    taskIds: IDS,
  } satisfies Readonly<Record<keyof ErrorData, OutputProperty>>,
  required: ["code", "message"],
  additionalProperties: false,
};

/**
 * One flat object for results and refusals alike, without combinators, since
 * clients check both by it and some know no more than this.
 */
export const OUTPUT_SCHEMA: OutputSchema = {
  type: "object",
  properties: {
    action: { type: "string", enum: ACTIONS },
    task: { ...TASK, description: "The task that the call was about." },
    tasks: {
      type: "array",
      description: "The tasks that were asked for, by list or blocked.",
      items: TASK,
    },
    snapshot: SNAPSHOT,
    error: ERROR,
  } satisfies Readonly<
    Record<
      keyof ChangeResult | keyof ListResult | keyof Refusal,
      OutputProperty
    >
  >,
  additionalProperties: false,
};
