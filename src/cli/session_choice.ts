/**
 * Which session a command is about, and what is in it.
 *
 * @module
 */

import type { Snapshot } from "../../mod.ts";
import { resolveSessionDir } from "../location/session_dir.ts";
import { listSessions, readSidecar } from "../sidecar/mod.ts";
import { type Input, UsageError } from "./command.ts";
import { isSound, requireSidecar } from "./reading.ts";
import { someOf } from "./texts.ts";

/** Where a session is. */
export interface SessionChoice {
  readonly sessionId: string;
  /** An absolute path. */
  readonly sessionDir: string;
}

/** A session as it is now. */
export interface SessionView {
  readonly sessionId: string;
  readonly revision: number;
  readonly snapshot: Snapshot;
}

/**
 * Where the sessions are: in the directory that was given, or in the usual one.
 *
 * @throws {UsageError} When an empty one was given.
 * @throws {TasksError} `open_failed` when there is no usual one.
 */
export function dirOf(input: Input): string {
  const given = input.text("dir");
  if (given === "") throw new UsageError("--dir is empty.");
  return resolveSessionDir(given);
}

/**
 * The session that was given, or the only one there is.
 *
 * @throws {UsageError} When it is not clear which.
 */
export async function chooseSession(input: Input): Promise<SessionChoice> {
  const sessionDir = dirOf(input);
  const named = input.text("session");
  if (named !== undefined) return { sessionDir, sessionId: named };
  const sessions = await listSessions({ sessionDir });
  const [first] = sessions;
  if (first === undefined) {
    throw new UsageError(
      `There is no session in ${sessionDir} yet. ` +
        "Say which one you mean with --session.",
    );
  }
  if (sessions.length === 1) return { sessionDir, sessionId: first.sessionId };
  throw new UsageError(
    "There are several sessions. Say which one you mean with --session: " +
      `${someOf(sessions.map((one) => one.sessionId))}.`,
  );
}

/**
 * The session as its file has it; nothing is opened.
 *
 * @throws {TasksError} When there is none, or the file cannot be used.
 */
export async function viewSession(input: Input): Promise<SessionView> {
  const choice = await chooseSession(input);
  const reading = await readSidecar({ ...choice, staleAfterMs: Infinity });
  const { revision, snapshot } = requireSidecar(reading, choice.sessionId);
  if (!isSound(reading)) {
    input.output.note(
      "tasks: This is what can be read of a file that is not as it should be. " +
        "Run tasks check.",
    );
  }
  return { sessionId: choice.sessionId, revision, snapshot };
}
