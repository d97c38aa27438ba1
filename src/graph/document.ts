/**
 * What a sidecar holds, and how a call changes it.
 *
 * @module
 */

import { Graph } from "./graph.ts";
import {
  apply,
  type Environment,
  type Outcome,
  readCall,
  refusing,
} from "./operations.ts";
import type { TasksAction, TasksCall } from "../model/task.ts";

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
  /** Tells what was asked, since some providers use an id more than once. */
  readonly digest: string;
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

/** What a call leads to. */
export type CallOutcome = Exclude<Outcome, { kind: "changed" }> | Change;

/** A change, with the document that holds it, which must be stored before the call is answered. */
export interface Change {
  readonly kind: "changed";
  readonly action: TasksAction;
  readonly positions: readonly number[];
  readonly document: SessionDocument;
}

/** How many calls are remembered. */
export const MAX_REMEMBERED_CALLS = 256;

/** The document of a session that has no sidecar yet. */
export function emptyDocument(sessionId: string): SessionDocument {
  return {
    sessionId,
    revision: 0,
    graph: Graph.from([]),
    calls: [],
    unknownFields: {},
  };
}

/**
 * Applies a call, well formed or not. One that has changed the graph before, as
 * its id and what it asks for tell, is answered with the task that it changed
 * then, and changes nothing. Never throws.
 */
export function applyCall(
  document: SessionDocument,
  { input, toolCallId }: IncomingCall,
  environment: Environment,
): CallOutcome {
  return refusing(input, () => {
    const call = readCall(input);
    if (toolCallId === undefined) return change(document, call, environment);
    const digest = digestOf(call);
    const known = document.calls.findLast((remembered) =>
      remembered.toolCallId === toolCallId && remembered.digest === digest
    );
    const position = known && document.graph.positionOf(known.taskId);
    if (known !== undefined && position !== undefined) {
      return {
        kind: "answered",
        action: known.action,
        positions: [position],
      };
    }
    const outcome = change(document, call, environment);
    if (outcome.kind !== "changed") return outcome;
    const { action, positions } = outcome;
    const taskId = outcome.document.graph.tasks[positions[0]!]!.id;
    const calls = [
      ...document.calls,
      { toolCallId, digest, action, taskId },
    ].slice(-MAX_REMEMBERED_CALLS);
    return { ...outcome, document: { ...outcome.document, calls } };
  });
}

function change(
  document: SessionDocument,
  call: TasksCall,
  environment: Environment,
): CallOutcome {
  const outcome = apply(document.graph, call, environment);
  if (outcome.kind !== "changed") return outcome;
  const { graph, ...rest } = outcome;
  const revision = document.revision + 1;
  return { ...rest, document: { ...document, revision, graph } };
}

/** A short digest of what a call asks for: FNV-1a over its JSON. */
function digestOf(call: TasksCall): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(JSON.stringify(call))) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/**
 * The outcome of an add that could not be seen to be stored, when a graph that
 * was loaded since has its task: a host that was stopped right after its rename
 * finds there what it takes for not stored.
 */
export function findAdded(
  { action, positions, document }: Change,
  graph: Graph,
): CallOutcome | undefined {
  if (action !== "add") return undefined;
  const added = document.graph.tasks[positions[0]!]!;
  const position = graph.positionOf(added.id);
  if (position === undefined) return undefined;
  const found = graph.tasks[position]!;
  const isOurs = found.created_at === added.created_at &&
    found.content === added.content;
  return isOurs
    ? { kind: "answered", action, positions: [position] }
    : undefined;
}
