/**
 * The tool and its results for Google's Gemini API.
 *
 * @module
 */

import type { ErrorData } from "../../model/errors.ts";
import type { ToolResult } from "../result.ts";
import type { TasksResult } from "../../model/task.ts";
import { tasksTool } from "../definition.ts";
import { type InputSchema, withoutLengths } from "./input_schema.ts";

/** A function declaration as Gemini takes it. */
export interface GeminiTool {
  /** The name that the model calls. */
  readonly name: string;
  /** What the model reads about it. */
  readonly description: string;
  /** The arguments, as JSON Schema. */
  readonly parametersJsonSchema: InputSchema;
}

/** What {@linkcode toolResultForGemini} needs of a function call. */
export interface GeminiCall {
  /** The id of the function call, where it has one. */
  readonly id?: string | undefined;
  /** The name that was called. */
  readonly name?: string | undefined;
}

/** A part that answers a function call of Gemini. */
export interface GeminiToolResult {
  /** The answer. */
  readonly functionResponse: {
    /** The id of the function call that it answers, if that has one. */
    readonly id?: string;
    /** The name that was called. */
    readonly name: string;
    /** What the model reads. */
    readonly response: GeminiResponse;
  };
}

/**
 * What Gemini reads: `output` of a call that was carried out, or `error` of a
 * refused one. Either is data, or text where the result's content is no JSON.
 */
export type GeminiResponse =
  | { readonly output: TasksResult | string }
  | { readonly error: ErrorData | string };

/**
 * The `tasks` tool for Gemini, as a function declaration. It goes by
 * `parametersJsonSchema`, and not by `parameters`, whose form has no
 * `additionalProperties`. A greatest length is not among the words of JSON
 * Schema that Gemini takes; it is checked when the tool is called.
 *
 * @example Offer the tool
 * ```ts
 * import { geminiTool } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * const config = { tools: [{ functionDeclarations: [geminiTool] }] };
 * assertEquals(config.tools[0]?.functionDeclarations[0]?.name, "tasks");
 * ```
 */
export const geminiTool: GeminiTool = {
  name: tasksTool.name,
  description: tasksTool.description,
  parametersJsonSchema: withoutLengths(tasksTool),
};

/**
 * The part that answers a function call. It belongs into the next content of
 * the user, together with the answers to all other calls of that turn.
 *
 * @example Answer a call
 * ```ts
 * import { openSession } from "@kin/tasks-dag";
 * import { toolResultForGemini } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * const sessionDir = await Deno.makeTempDir();
 * await using session = await openSession({ sessionId: "demo", sessionDir });
 * const call = { id: "fc_1", name: "tasks", args: { action: "blocked" } };
 *
 * const result = await session.handleToolCall(call.args, { callId: call.id });
 * assertEquals(toolResultForGemini(call, result), {
 *   functionResponse: {
 *     id: "fc_1",
 *     name: "tasks",
 *     response: { output: { action: "blocked", tasks: [] } },
 *   },
 * });
 * ```
 */
export function toolResultForGemini(
  { id, name = tasksTool.name }: GeminiCall,
  result: ToolResult,
): GeminiToolResult {
  const response = responseOf(result);
  return {
    functionResponse: { ...(id !== undefined && { id }), name, response },
  };
}

function responseOf({ content, result, isError }: ToolResult): GeminiResponse {
  if (!content.startsWith("{")) {
    return isError ? { error: content } : { output: content };
  }
  return "error" in result ? { error: result.error } : { output: result };
}
