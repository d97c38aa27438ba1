/**
 * A session as a state machine: it loads, takes calls one after the other,
 * saves what they change before it answers them, and closes.
 *
 * What the machine emits are the messages for the host.
 *
 * @module
 */

import { assign, emit, enqueueActions, fromPromise, setup } from "xstate";
import { actionOf } from "./arguments.ts";
import { Encoder } from "./codec.ts";
import type { Graph } from "./dag.ts";
import { explainDiskFault } from "./disk_fault.ts";
import {
  applyCall,
  type CallOutcome,
  type IncomingCall,
  type SessionDocument,
} from "./document.ts";
import {
  refusalOf,
  TasksError,
  type TasksErrorCode,
  toErrorData,
} from "./errors.ts";
import { loadDocument, type Loaded } from "./loader.ts";
import type {
  DoneReplyMessage,
  ReplyMessage,
  SnapshotText,
  WorkerMessage,
} from "./protocol.ts";
import { dequeue, emptyQueue, enqueue, peek, type Queue } from "./queue.ts";
import type { Store } from "./store.ts";

/** What a session works with. */
export interface SessionInput {
  readonly store: Store;
  readonly sessionId: string;
  readonly staleAfterMs: number;
  /** The clock, in unix milliseconds. */
  readonly now: () => number;
  /** Four random lower-case hexadecimal characters. */
  readonly randomSuffix: () => string;
}

/** A call that waits for its turn or for its save. */
interface Request extends IncomingCall {
  readonly callId: number;
}

/** A document on its way to the store. */
interface Pending {
  readonly document: SessionDocument;
  /** What to answer once it is saved; nothing when it is a repair, of which the host knows. */
  readonly outcome: Exclude<CallOutcome, { kind: "refused" }> | undefined;
}

interface Context extends SessionInput {
  /** The document as it was last saved, or loaded. */
  readonly document: SessionDocument;
  /** The revision that the store had when it was last seen. */
  readonly storedRevision: number;
  /** The calls that are not answered yet. The first one stays in it until it is. */
  readonly queue: Queue<Request>;
  readonly pending: Pending | undefined;
  /** How often the store had moved on when the first call was to be saved. */
  readonly reloads: number;
  /** Whether another host seems to have saved something. */
  readonly isStale: boolean;
  readonly isClosing: boolean;
  readonly encoder: Encoder;
}

type SessionEvent =
  | ({ readonly type: "call" } & Request)
  | { readonly type: "saved" | "moved" | "stored" }
  | { readonly type: "unsaved"; readonly error: unknown }
  | { readonly type: "close" };

/** The machine of one session. */
export const sessionMachine = setup({
  types: {
    context: {} as Context,
    events: {} as SessionEvent,
    emitted: {} as WorkerMessage,
    input: {} as SessionInput & { readonly document: SessionDocument },
  },
  actors: {
    load: fromPromise<Loaded, SessionInput>(({ input }) =>
      loadDocument(input.store, {
        sessionId: input.sessionId,
        staleAfterMs: input.staleAfterMs,
        now: input.now(),
      })
    ),
  },
  actions: {
    wait: assign(({ context, event }) =>
      event.type === "call" ? { queue: enqueue(context.queue, event) } : {}
    ),

    /** Answers calls until one of them has something to save. */
    advance: enqueueActions(({ context, enqueue: then }) => {
      if (context.pending !== undefined) return;
      let queue = context.queue;
      for (
        let request = peek(queue);
        request !== undefined;
        request = peek(queue)
      ) {
        const outcome = applyCall(context.document, request, {
          now: context.now(),
          randomSuffix: context.randomSuffix,
        });
        if (outcome.kind === "changed") {
          const { document } = outcome;
          then.assign({ pending: { document, outcome } });
          break;
        }
        then.emit(replyTo(request, outcome));
        queue = dequeue(queue);
      }
      then.assign({ queue });
    }),

    /** Starts the save, which ends with an event. An invoked actor would take longer. */
    save: async ({ context, self }) => {
      const { encoder, pending, store, storedRevision } = context;
      if (pending === undefined) return;
      try {
        const text = encoder.sidecar(pending.document);
        self.send({ type: await store.save(text, storedRevision) });
      } catch (error) {
        self.send({ type: "unsaved", error });
      }
    },

    /** Lets the host read what is being saved, while the disk works. */
    announce: enqueueActions(({ context, enqueue: then }) => {
      const { encoder, pending } = context;
      if (pending?.outcome === undefined) return;
      const { revision } = pending.document;
      const snapshot = encoder.snapshot(pending.document);
      then.emit({ type: "snapshot", revision, snapshot });
    }),

    /** Takes the saved document over and answers the call that it came from. */
    commit: enqueueActions(({ context, enqueue: then }) => {
      const { pending, queue } = context;
      if (pending === undefined) return;
      const { document, outcome } = pending;
      then.assign({
        document,
        storedRevision: document.revision,
        pending: undefined,
        reloads: 0,
      });
      const request = peek(queue);
      if (outcome === undefined || request === undefined) return;
      // One message instead of two: each one wakes the host up.
      const { revision } = document;
      const reply = doneReply(request, outcome);
      then.emit({ type: "tasks_changed", revision, reply });
      then.assign({ queue: dequeue(queue) });
    }),

    /** Gives the pending document up and refuses the call that it came from. */
    refuse: enqueueActions(
      ({ context, enqueue: then }, { error }: { error: unknown }) => {
        const { pending, queue } = context;
        then.assign({ pending: undefined, reloads: 0 });
        const request = peek(queue);
        if (pending?.outcome === undefined || request === undefined) return;
        const failure = toTasksError(error, "persist_failed", context.store);
        const refusal = refusalOf(pending.outcome.action, failure);
        then.emit({ type: "reply", callId: request.callId, refusal });
        then.assign({ queue: dequeue(queue) });
      },
    ),

    /**
     * Takes over what another host has saved. The call that found it is applied
     * again, unless it turns out to have been saved after all.
     */
    adopt: enqueueActions(
      ({ context, enqueue: then }, { loaded }: { loaded: Loaded }) => {
        const { encoder, pending, queue, reloads } = context;
        const isRetry = pending !== undefined;
        then.assign({
          pending: undefined,
          reloads: reloads + (isRetry ? 1 : 0),
        });
        if (!loaded.isFound) return;
        const before = encoder.snapshot(context.document);
        const { snapshot, ...taken } = takeOver(loaded, encoder);
        then.assign(taken);
        const { revision, graph } = taken.document;
        const isNew = revision !== context.document.revision ||
          snapshot.length !== before.length ||
          snapshot.some((piece, i) => piece !== before[i]);
        if (isNew) {
          then.emit({ type: "snapshot", revision, snapshot });
          then.emit({ type: "tasks_changed", revision });
        }
        const request = peek(queue);
        const outcome = pending && findAdded(pending, graph);
        if (outcome === undefined || request === undefined) return;
        then.emit(replyTo(request, outcome));
        then.assign({ queue: dequeue(queue) });
      },
    ),

    /** Takes over what was loaded first, and says so. */
    open: enqueueActions(
      ({ context, enqueue: then }, { loaded }: { loaded: Loaded }) => {
        const { snapshot, ...taken } = takeOver(loaded, context.encoder);
        then.assign(taken);
        then.emit({
          type: "opened",
          sidecarPath: context.store.location,
          revision: taken.document.revision,
          snapshot,
          warnings: loaded.warnings,
        });
      },
    ),

    /** Refuses a call that comes after the close. */
    refuseLate: emit(({ event }) => {
      const error = new TasksError("session_closed", "The session is closing.");
      const { callId, input } = event.type === "call"
        ? event
        : { callId: 0, input: undefined };
      const refusal = refusalOf(actionOf(input), error);
      return { type: "reply", callId, refusal };
    }),

    /** Says that there is no session, also to the calls that wait for it. */
    failToOpen: enqueueActions(
      ({ context, enqueue: then }, { error }: { error: unknown }) => {
        const failure = toTasksError(error, "open_failed", context.store);
        then.emit({ type: "open_failed", error: toErrorData(failure) });
        let queue = context.queue;
        for (
          let request = peek(queue);
          request !== undefined;
          request = peek(queue)
        ) {
          const { callId, input } = request;
          then.emit({
            type: "reply",
            callId,
            refusal: refusalOf(actionOf(input), failure),
          });
          queue = dequeue(queue);
        }
        if (context.isClosing) then.emit({ type: "closed" });
      },
    ),
  },
  guards: {
    hasPending: ({ context }) => context.pending !== undefined,
    isClosing: ({ context }) => context.isClosing,
    isStale: ({ context }) => context.isStale,
  },
}).createMachine({
  id: "session",
  context: ({ input }) => ({
    ...input,
    storedRevision: input.document.revision,
    queue: emptyQueue,
    pending: undefined,
    reloads: 0,
    isStale: false,
    isClosing: false,
    encoder: new Encoder(),
  }),
  initial: "opening",
  // A call or a close may come at any time; where nothing else is said, it waits.
  on: {
    call: [
      { guard: "isClosing", actions: "refuseLate" },
      { actions: "wait" },
    ],
    stored: { actions: assign({ isStale: true }) },
    close: { actions: assign({ isClosing: true }) },
  },
  states: {
    opening: {
      invoke: {
        src: "load",
        input: ({ context }) => context,
        onDone: {
          target: "idle",
          actions: {
            type: "open",
            params: ({ event }) => ({ loaded: event.output }),
          },
        },
        onError: {
          target: "failed",
          actions: {
            type: "failToOpen",
            params: ({ event }) => ({ error: event.error }),
          },
        },
      },
    },
    idle: {
      entry: "advance",
      always: [
        { guard: "hasPending", target: "saving" },
        { guard: "isClosing", target: "closed" },
        { guard: "isStale", target: "reloading" },
      ],
      on: {
        call: { actions: ["wait", "advance"] },
        close: { target: "closed" },
      },
    },
    saving: {
      entry: ["save", "announce"],
      on: {
        saved: { target: "idle", actions: "commit" },
        moved: [
          {
            guard: ({ context }) => context.reloads < MAX_RELOADS,
            target: "reloading",
          },
          {
            target: "idle",
            actions: {
              type: "refuse",
              params: () => ({ error: keepsMoving() }),
            },
          },
        ],
        unsaved: {
          target: "idle",
          actions: {
            type: "refuse",
            params: ({ event }) => ({ error: event.error }),
          },
        },
      },
    },
    reloading: {
      entry: assign({ isStale: false }),
      invoke: {
        src: "load",
        // Once the session is open, what is in progress is nobody's leftover.
        input: ({ context }) =>
          isRepair(context.pending)
            ? context
            : { ...context, staleAfterMs: Infinity },
        onDone: {
          target: "idle",
          actions: {
            type: "adopt",
            params: ({ event }) => ({ loaded: event.output }),
          },
        },
        onError: {
          target: "idle",
          actions: {
            type: "refuse",
            params: ({ event }) => ({ error: event.error }),
          },
        },
      },
    },
    closed: {
      type: "final",
      entry: emit({ type: "closed" }),
    },
    failed: { type: "final" },
  },
});

function isRepair(pending: Pending | undefined): boolean {
  return pending !== undefined && pending.outcome === undefined;
}

/** What a loaded document makes of the context. Its repairs, where it has any, are to be saved. */
function takeOver(
  { document, needsSave }: Loaded,
  encoder: Encoder,
): Pick<Context, "document" | "storedRevision" | "pending"> & {
  readonly snapshot: SnapshotText;
} {
  const repaired = { ...document, revision: document.revision + 1 };
  return {
    document,
    storedRevision: document.revision,
    pending: needsSave ? { document: repaired, outcome: undefined } : undefined,
    snapshot: encoder.snapshot(document),
  };
}

/**
 * The outcome of a pending add whose task is in a graph that was loaded since: a
 * host that was stopped right after its rename finds there what it takes for
 * unsaved.
 */
function findAdded(
  { document, outcome }: Pending,
  graph: Graph,
): CallOutcome | undefined {
  if (outcome?.action !== "add") return undefined;
  const added = document.graph.tasks[outcome.positions[0]!]!;
  const position = graph.positionOf(added.id);
  if (position === undefined) return undefined;
  const found = graph.tasks[position]!;
  const isOurs = found.created_at === added.created_at &&
    found.content === added.content;
  return isOurs
    ? { kind: "answered", action: "add", positions: [position] }
    : undefined;
}

function replyTo(request: Request, outcome: CallOutcome): ReplyMessage {
  return outcome.kind === "refused"
    ? { type: "reply", callId: request.callId, refusal: outcome.refusal }
    : doneReply(request, outcome);
}

function doneReply(
  { callId }: Request,
  { action, positions }: Exclude<CallOutcome, { kind: "refused" }>,
): DoneReplyMessage {
  return { type: "reply", callId, action, positions };
}

/** How often a call is applied again before the store counts as unusable. */
const MAX_RELOADS = 1_000;

function keepsMoving(): TasksError {
  return new TasksError(
    "persist_failed",
    `The sidecar was changed by others ${MAX_RELOADS} times while this call ` +
      "was to be saved, so nothing was changed. Try again later.",
  );
}

const FAILURES = {
  persist_failed: "The sidecar could not be saved, so nothing was changed",
  open_failed: "The session could not be opened, and nothing was changed",
} as const satisfies Partial<Record<TasksErrorCode, string>>;

function toTasksError(
  thrown: unknown,
  code: keyof typeof FAILURES,
  store: Store,
): TasksError {
  if (thrown instanceof TasksError) return thrown;
  return new TasksError(
    code,
    `${FAILURES[code]}. ${explainDiskFault(thrown, store.location)}.`,
  );
}
