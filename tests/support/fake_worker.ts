import type { WorkerPort } from "../../src/host/connection.ts";
import {
  type HostMessage,
  PROTOCOL_VERSION,
  type SnapshotText,
  type WorkerMessage,
} from "../../src/protocol.ts";

/** A worker whose every word comes from the test. */
export class FakeWorker implements WorkerPort {
  onmessage: ((event: MessageEvent) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  onmessageerror: ((event: MessageEvent) => void) | null = null;
  /** What the host has sent. */
  readonly received: HostMessage[] = [];
  terminations = 0;

  postMessage(message: HostMessage): void {
    this.received.push(structuredClone(message));
  }

  terminate(): void {
    this.terminations++;
  }

  /** Says something to the host, as a worker would, or as none ever should. */
  say(...messages: readonly unknown[]): void {
    for (const data of messages) {
      this.onmessage?.(new MessageEvent("message", { data }));
    }
  }

  /** Fails as a worker does that threw something; tells whether the host will live. */
  throwUp(message: string): boolean {
    const event = new ErrorEvent("error", { message, cancelable: true });
    this.onerror?.(event);
    return event.defaultPrevented;
  }

  /** Says all that an opened worker says. */
  open(revision = 0, snapshot: SnapshotText = []): void {
    this.say(READY, openedAt(revision, snapshot));
  }

  /** Carries the oldest call out that was not carried out yet, as an `add` of one task. */
  add(callId: number, revision: number, ids: readonly string[]): void {
    const tasks = ids.map((id) => ({ id, content: id, status: "pending" }));
    this.say(
      {
        type: "tasks_changed",
        revision,
        snapshot: [JSON.stringify(tasks)],
        reply: {
          type: "reply",
          callId,
          action: "add",
          positions: [ids.length - 1],
        },
      },
    );
  }
}

/** What a worker says first. */
export const READY: WorkerMessage = {
  type: "ready",
  protocol: PROTOCOL_VERSION,
};

/** What a worker says once it has opened its session. */
export function openedAt(
  revision: number,
  snapshot: SnapshotText = [],
): WorkerMessage {
  return {
    type: "opened",
    sidecarPath: "/nowhere/s.tasks.json",
    revision,
    snapshot,
    warnings: [],
  };
}
