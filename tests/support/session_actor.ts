import { type Actor, createActor } from "xstate";
import {
  emptyDocument,
  type SessionDocument,
} from "../../src/graph/document.ts";
import { type SessionInput, sessionMachine } from "../../src/worker/machine.ts";
import type {
  ReplyMessage,
  TasksChangedMessage,
  WorkerMessage,
} from "../../src/protocol.ts";
import type { Store } from "../../src/store/store.ts";
import { Recorder } from "./recorder.ts";
import { snapshotIn } from "./texts.ts";

/** The time at which every session of {@linkcode startActor} lives. */
export const NOW = 1_000_000_000;

/** A session's actor without a worker around it. */
export interface SessionActor {
  readonly actor: Actor<typeof sessionMachine>;
  readonly messages: Recorder<WorkerMessage>;
  /** Sends a call, and returns its number. */
  call(input: unknown): number;
  close(): void;
  /** The reply to the call with this number. */
  reply(callId: number): Promise<ReplyMessage>;
}

/** What a session on this store starts with. */
export function inputFor(
  store: Store,
): SessionInput & { readonly document: SessionDocument } {
  let minted = 0;
  return {
    store,
    sessionId: "s",
    staleAfterMs: 300_000,
    now: () => NOW,
    randomSuffix: () => (minted++).toString(16).padStart(4, "0"),
    document: emptyDocument("s"),
  };
}

/** The id of the task that the nth `add` makes, from 0. */
export function mintedId(n: number): string {
  return `t_${NOW}_${n.toString(16).padStart(4, "0")}`;
}

/** Starts a session on this store. */
export function startActor(store: Store): SessionActor {
  const actor = createActor(sessionMachine, { input: inputFor(store) });
  const messages = new Recorder<WorkerMessage>();
  actor.on("*", (message) => partsOf(message).forEach(messages.add));
  actor.subscribe({ error: () => {} });
  let calls = 0;
  actor.start();
  return {
    actor,
    messages,
    call(input): number {
      const callId = ++calls;
      actor.send({ type: "call", callId, input });
      return callId;
    },
    close: () => actor.send({ type: "close" }),
    reply: (callId) =>
      messages.find((message): message is ReplyMessage =>
        message.type === "reply" && message.callId === callId
      ),
  };
}

/** A message, and the reply that may come with it as a message of its own. */
export function partsOf(message: WorkerMessage): readonly WorkerMessage[] {
  if (message.type !== "tasks_changed" || message.reply === undefined) {
    return [message];
  }
  const { reply, ...change } = message;
  return [change, reply];
}

/** One word for each message: its type, with the number or the code that matters. */
export function inShort(messages: readonly WorkerMessage[]): string[] {
  return messages.map((message) => {
    switch (message.type) {
      case "reply":
        return "refusal" in message
          ? `reply ${message.callId}: ${message.refusal.error.code}`
          : `reply ${message.callId}`;
      case "opened":
      case "snapshot":
      case "tasks_changed":
        return `${message.type} ${message.revision}`;
      case "open_failed":
      case "crashed":
        return `${message.type}: ${message.error.code}`;
      case "ready":
      case "waiting":
      case "closed":
        return message.type;
    }
  });
}

/** The contents of the tasks in a message's snapshot. */
export function contentsOf(
  { snapshot }: Pick<TasksChangedMessage, "snapshot">,
): string[] {
  return snapshotIn(snapshot).tasks.map(({ content }) => content);
}
