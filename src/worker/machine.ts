/**
 * A session as a state machine: it loads, takes calls one after the other,
 * saves what they change before it answers them, and closes.
 *
 * What the machine emits are the messages for the host.
 *
 * @module
 */

import { assign, emit, enqueueActions, fromPromise, setup } from "xstate";
import { actionOf } from "../graph/arguments.ts";
import { Encoder } from "../format/encode.ts";
import { toTasksError } from "../store/disk_fault.ts";
import {
  applyCall,
  type CallOutcome,
  type Change,
  findAdded,
  type IncomingCall,
  type SessionDocument,
} from "../graph/document.ts";
import { refusalOf, TasksError, toErrorData } from "../model/errors.ts";
import { loadDocument, type Loaded } from "../store/load.ts";
import type {
  DoneReplyMessage,
  ReplyMessage,
  SnapshotText,
  WorkerMessage,
} from "../protocol.ts";
import {
  dequeue,
  emptyQueue,
  enqueue,
  itemsOf,
  peek,
  type Queue,
} from "./queue.ts";
import type { Store } from "../store/store.ts";

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
  readonly outcome: Change | undefined;
}

interface Context extends SessionInput {
  /** The document as it was last saved, or loaded. */
  readonly document: SessionDocument;
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
    wait: assign(({ context, event }) => ({
      queue: queueAfter(context, event),
    })),

    /** Answers calls, the one that has just come included, until one of them has something to save. */
    advance: enqueueActions(({ context, event, enqueue: then }) => {
      let { pending } = context;
      let queue = queueAfter(context, event);
      for (
        let request = peek(queue);
        request !== undefined && pending === undefined;
        request = peek(queue)
      ) {
        const outcome = applyCall(context.document, request, {
          now: context.now(),
          randomSuffix: context.randomSuffix,
        });
        if (outcome.kind === "changed") {
          pending = { document: outcome.document, outcome };
          break;
        }
        then.emit(replyTo(request, outcome));
        queue = dequeue(queue);
      }
      if (pending !== context.pending || queue !== context.queue) {
        then.assign({ pending, queue });
      }
    }),

    /** Starts the save, which ends with an event. An invoked actor would take longer. */
    save: async ({ context, self }) => {
      const { document, encoder, pending, store } = context;
      if (pending === undefined) return;
      try {
        const text = encoder.sidecar(pending.document);
        self.send({ type: await store.save(text, document.revision) });
      } catch (error) {
        self.send({ type: "unsaved", error });
      }
    },

    /**
     * Encodes what the host is to be told, while the disk works; and lets the host
     * read it in the meantime where that takes longer than to wake it up.
     */
    announce: enqueueActions(({ context, enqueue: then }) => {
      const { encoder, pending } = context;
      if (pending?.outcome === undefined) return;
      const { revision } = pending.document;
      const snapshot = encoder.snapshot(pending.document);
      if (isSentAhead(pending.document)) {
        then.emit({ type: "snapshot", revision, snapshot });
      }
    }),

    /** Takes the saved document over and answers the call that it came from. */
    commit: enqueueActions(({ context, enqueue: then }) => {
      const { pending, queue } = context;
      if (pending === undefined) return;
      const { document, outcome } = pending;
      const saved = { document, pending: undefined, reloads: 0 };
      const request = peek(queue);
      if (outcome === undefined || request === undefined) {
        return then.assign(saved);
      }
      then.assign({ ...saved, queue: dequeue(queue) });
      const { revision } = document;
      const reply = doneReply(request, outcome);
      const rest = isSentAhead(document)
        ? {}
        : { snapshot: context.encoder.snapshot(document) };
      then.emit({ type: "tasks_changed", revision, reply, ...rest });
    }),

    /** Gives the pending document up and refuses the call that it came from. */
    refuse: enqueueActions(
      ({ context, enqueue: then }, { error }: { error: unknown }) => {
        const { pending, queue } = context;
        then.assign({ pending: undefined, reloads: 0 });
        const request = peek(queue);
        if (pending?.outcome === undefined || request === undefined) return;
        const { location } = context.store;
        const failure = toTasksError(error, "persist_failed", location);
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
        if (isNew) then.emit({ type: "tasks_changed", revision, snapshot });
        const request = peek(queue);
        const outcome = pending?.outcome && findAdded(pending.outcome, graph);
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
        const { location } = context.store;
        const failure = toTasksError(error, "open_failed", location);
        then.emit({ type: "open_failed", error: toErrorData(failure) });
        for (const { callId, input } of itemsOf(context.queue)) {
          const refusal = refusalOf(actionOf(input), failure);
          then.emit({ type: "reply", callId, refusal });
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
        call: { actions: "advance" },
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

/** From how many tasks on a graph is sent ahead. */
const SENT_AHEAD_FROM = 256;

function isSentAhead({ graph }: SessionDocument): boolean {
  return graph.tasks.length >= SENT_AHEAD_FROM;
}

function isRepair(pending: Pending | undefined): boolean {
  return pending !== undefined && pending.outcome === undefined;
}

/** The calls that wait, once this event has happened. */
function queueAfter({ queue }: Context, event: SessionEvent): Queue<Request> {
  return event.type === "call" ? enqueue(queue, event) : queue;
}

/** What a loaded document makes of the context. Its repairs, where it has any, are to be saved. */
function takeOver(
  { document, needsSave }: Loaded,
  encoder: Encoder,
): Pick<Context, "document" | "pending"> & { readonly snapshot: SnapshotText } {
  const repaired = { ...document, revision: document.revision + 1 };
  return {
    document,
    pending: needsSave ? { document: repaired, outcome: undefined } : undefined,
    snapshot: encoder.snapshot(document),
  };
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
