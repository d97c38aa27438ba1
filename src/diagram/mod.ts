/**
 * Pictures of a task graph: as a mermaid flowchart, which Markdown viewers
 * draw, and in the DOT language, which Graphviz draws.
 *
 * Both are pure functions from a snapshot to text.
 *
 * @module
 */

export { toDot } from "./dot.ts";
export { toMermaid } from "./mermaid.ts";
export type { Snapshot, Task, TaskStatus } from "../model/task.ts";
