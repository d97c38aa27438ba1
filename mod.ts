/**
 * A persistent, dependency-aware graph of tasks that an LLM agent keeps for a
 * session.
 *
 * {@linkcode openSession} starts a worker that holds the graph and writes every
 * change to `<session_id>.tasks.json` before it answers. {@linkcode tasksTool} is
 * the tool to offer to a model, and {@linkcode TaskSession.handleToolCall} answers
 * what the model sends.
 *
 * @example Keep the work of a session
 * ```ts
 * import { openSession } from "@kin/tasks-dag";
 * import { assertEquals } from "@std/assert";
 *
 * const sessionDir = await Deno.makeTempDir();
 * await using session = await openSession({ sessionId: "demo", sessionDir });
 * session.addEventListener("tasks_changed", (event) => {
 *   assertEquals(event.detail.sessionId, "demo");
 * });
 *
 * const setupDb = await session.tasks({ action: "add", content: "Provision the dev DB" });
 * const seed = await session.tasks({
 *   action: "add",
 *   content: "Seed fixtures",
 *   blockedBy: [setupDb.task.id],
 * });
 * await session.tasks({ action: "complete", id: setupDb.task.id });
 * await session.tasks({ action: "update", id: seed.task.id, status: "in_progress" });
 *
 * assertEquals(session.snapshot.tasks.map((task) => task.status), ["completed", "in_progress"]);
 * await Deno.remove(sessionDir, { recursive: true });
 * ```
 *
 * @module
 */

export { openSession } from "./src/host/open_session.ts";
export {
  activeBlockers,
  blockedTasks,
  findTask,
  readyTasks,
} from "./src/graph/graph.ts";
export {
  type ErrorData,
  type Refusal,
  TasksError,
  type TasksErrorCode,
} from "./src/model/errors.ts";
export type { SessionOptions } from "./src/host/options.ts";
export type { Durability } from "./src/protocol.ts";
export type { ToolResult, ToolView } from "./src/tool/result.ts";
export type {
  TasksChanged,
  TasksChangedEvent,
  TaskSession,
  TaskSessionEvents,
  TaskSessionListener,
  ToolCallOptions,
} from "./src/host/session.ts";
export type {
  AddCall,
  BlockedCall,
  BlockedResult,
  ChangeResult,
  CompleteCall,
  ListCall,
  ListResult,
  RemoveCall,
  SessionWarning,
  Snapshot,
  Task,
  TasksAction,
  TasksCall,
  TasksCalls,
  TasksResult,
  TasksResults,
  TaskStatus,
  UpdateCall,
  WarningCode,
} from "./src/model/task.ts";
export {
  strictTasksTool,
  tasksTool,
  type ToolDefinition,
  type ToolProperty,
  type ToolSchema,
} from "./src/tool/definition.ts";
