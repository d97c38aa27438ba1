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
import {
  type Encoded,
  Encoder,
  nextDocument,
  type SessionDocument,
} from "./codec.ts";
import { explainDiskFault } from "./disk_fault.ts";
import {
  refusalOf,
  TasksError,
  type TasksErrorCode,
  toErrorData,
} from "./errors.ts";
import { loadDocument, type Loaded } from "./loader.ts";
import { applyInput, type Outcome } from "./operations.ts";
import type { WorkerMessage } from "./protocol.ts";
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
interface Request {
  readonly callId: number;
  readonly input: unknown;
}

/** A document on its way to the store. */
interface Pending {
  readonly document: SessionDocument;
  readonly text: string;
  /** What to answer once it is saved; nothing when no call asked for it. */
  readonly outcome: Exclude<Outcome, { kind: "refused" }> | undefined;
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
  readonly isClosing: boolean;
  readonly encoder: Encoder;
}

type SessionEvent =
  | ({ readonly type: "call" } & Request)
  | { readonly type: "close" };

interface SaveInput {
  readonly store: Store;
  readonly text: string;
  readonly seen: number;
}

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
    save: fromPromise<"saved" | "moved", SaveInput>(({ input }) =>
      input.store.save(input.text, input.seen)
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
        const outcome = applyInput(context.document.graph, request.input, {
          now: context.now(),
          randomSuffix: context.randomSuffix,
        });
        if (outcome.kind === "changed") {
          const document = nextDocument(context.document, outcome.graph);
          const texts = context.encoder.encode(document);
          then.emit(snapshotMessage(document, texts));
          then.assign({ pending: { document, text: texts.sidecar, outcome } });
          break;
        }
        then.emit(replyTo(request, outcome));
        queue = dequeue(queue);
      }
      then.assign({ queue });
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
      then.emit({ type: "tasks_changed", revision: document.revision });
      then.emit(replyTo(request, outcome));
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

    /** Takes over what another host has saved; the call that found it is applied again. */
    adopt: enqueueActions(
      ({ context, enqueue: then }, { loaded }: { loaded: Loaded }) => {
        then.assign({ pending: undefined, reloads: context.reloads + 1 });
        if (!loaded.isFound) return;
        const { document } = loaded;
        then.assign({ document, storedRevision: document.revision });
        then.emit(snapshotMessage(document, context.encoder.encode(document)));
        then.emit({ type: "tasks_changed", revision: document.revision });
      },
    ),

    /** Takes over what was loaded first, and says so. */
    open: enqueueActions(
      ({ context, enqueue: then }, { loaded }: { loaded: Loaded }) => {
        const { needsSave, warnings } = loaded;
        const document = needsSave
          ? nextDocument(loaded.document, loaded.document.graph)
          : loaded.document;
        const texts = context.encoder.encode(document);
        then.assign({
          document,
          storedRevision: loaded.document.revision,
          pending: needsSave
            ? { document, text: texts.sidecar, outcome: undefined }
            : undefined,
        });
        then.emit({
          type: "opened",
          sidecarPath: context.store.location,
          revision: document.revision,
          snapshot: texts.snapshot,
          warnings,
        });
      },
    ),

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
  },
}).createMachine({
  id: "session",
  context: ({ input }) => ({
    ...input,
    storedRevision: input.document.revision,
    queue: emptyQueue,
    pending: undefined,
    reloads: 0,
    isClosing: false,
    encoder: new Encoder(),
  }),
  initial: "opening",
  // A call or a close may come at any time; where nothing else is said, it waits.
  on: {
    call: { actions: "wait" },
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
      ],
      on: {
        call: { target: "idle", reenter: true, actions: "wait" },
        close: { target: "closed" },
      },
    },
    saving: {
      invoke: {
        src: "save",
        input: ({ context }): SaveInput => ({
          store: context.store,
          text: context.pending?.text ?? "",
          seen: context.storedRevision,
        }),
        onDone: [
          {
            guard: ({ event }) => event.output === "saved",
            target: "idle",
            actions: "commit",
          },
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
        onError: {
          target: "idle",
          actions: {
            type: "refuse",
            params: ({ event }) => ({ error: event.error }),
          },
        },
      },
    },
    reloading: {
      invoke: {
        src: "load",
        // A task that is in progress now is nobody's leftover.
        input: ({ context }) => ({ ...context, staleAfterMs: Infinity }),
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

function snapshotMessage(
  document: SessionDocument,
  texts: Encoded,
): WorkerMessage {
  return {
    type: "snapshot",
    revision: document.revision,
    snapshot: texts.snapshot,
  };
}

function replyTo(request: Request, outcome: Outcome): WorkerMessage {
  const { callId } = request;
  return outcome.kind === "refused"
    ? { type: "reply", callId, refusal: outcome.refusal }
    : {
      type: "reply",
      callId,
      action: outcome.action,
      positions: outcome.positions,
    };
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
