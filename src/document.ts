/**
 * What a sidecar holds, and how a call changes it.
 *
 * @module
 */

import { Graph } from "./dag.ts";
import { applyInput, type Environment, type Outcome } from "./operations.ts";
import type { TasksAction } from "./task.ts";

/** The state of a session at one revision. */
export interface SessionDocument {
  /** The session that it belongs to. */
  readonly sessionId: string;
  /** How often it has been saved; it names the state. */
  readonly revision: number;
  /** The tasks. */
  readonly graph: Graph;
  /** The last calls that changed the graph and came with an id, oldest first. */
  readonly calls: readonly RememberedCall[];
  /** Fields of the file that this version does not know; written back as they were. */
  readonly unknownFields: Readonly<Record<string, unknown>>;
}

/** A call that changed the graph, remembered so that it does so only once. */
export interface RememberedCall {
  /** The id that the provider gave the tool call. */
  readonly toolCallId: string;
  readonly action: TasksAction;
  /** The task that it changed. */
  readonly taskId: string;
}

/** A call as it came from the host. */
export interface IncomingCall {
  /** The arguments, well formed or not. */
  readonly input: unknown;
  /** The id that the provider gave the tool call, where there is one. */
  readonly toolCallId?: string | undefined;
}

/** What a call leads to; a change comes with the document that holds it. */
export type CallOutcome =
  | Exclude<Outcome, { kind: "changed" }>
  | {
    readonly kind: "changed";
    readonly action: TasksAction;
    readonly positions: readonly number[];
    readonly document: SessionDocument;
  };

/** How many calls are remembered. */
export const MAX_REMEMBERED_CALLS = 256;

/** The document of a session that has no sidecar yet. */
export function emptyDocument(sessionId: string): SessionDocument {
  return {
    sessionId,
    revision: 0,
    graph: Graph.empty,
    calls: [],
    unknownFields: {},
  };
}

/**
 * Applies a call. One that has changed the graph before, as its id tells, is
 * answered with the task that it changed then, and changes nothing.
 */
export function applyCall(
  document: SessionDocument,
  { input, toolCallId }: IncomingCall,
  environment: Environment,
): CallOutcome {
  const known = document.calls.find((call) => call.toolCallId === toolCallId);
  const position = known && document.graph.positionOf(known.taskId);
  if (known !== undefined && position !== undefined) {
    return { kind: "answered", action: known.action, positions: [position] };
  }
  const outcome = applyInput(document.graph, input, environment);
  if (outcome.kind !== "changed") return outcome;
  const { action, positions, graph } = outcome;
  const taskId = graph.tasks[positions[0]!]!.id;
  const calls = toolCallId === undefined
    ? document.calls
    : [...document.calls, { toolCallId, action, taskId }].slice(
      -MAX_REMEMBERED_CALLS,
    );
  const revision = document.revision + 1;
  return {
    kind: "changed",
    action,
    positions,
    document: { ...document, revision, graph, calls },
  };
}
