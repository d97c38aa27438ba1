import {
  openSession,
  type SessionOptions,
  type TasksChanged,
  type TaskSession,
} from "../../mod.ts";
import { Recorder } from "./recorder.ts";
import { makeSessionDir, type SessionDir } from "./session_dir.ts";

/** An open session `s` in a directory of its own, with what it has told. */
export interface OpenedSession extends AsyncDisposable {
  readonly dir: SessionDir;
  readonly session: TaskSession;
  readonly changes: Recorder<TasksChanged>;
  readonly errors: Recorder<unknown>;
}

/** Opens a session for one test; it is closed and its directory removed when the test is over. */
export async function openHere(
  options: Partial<SessionOptions> = {},
): Promise<OpenedSession> {
  await using cleanUp = new AsyncDisposableStack();
  const dir = cleanUp.use(await makeSessionDir());
  const session = cleanUp.use(
    await openSession({ sessionId: "s", sessionDir: dir.path, ...options }),
  );
  const { changes, errors } = listenTo(session);
  const owned = cleanUp.move();
  return {
    dir,
    session,
    changes,
    errors,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Records what a session tells from now on. */
export function listenTo(
  session: TaskSession,
): Pick<OpenedSession, "changes" | "errors"> {
  const changes = new Recorder<TasksChanged>();
  const errors = new Recorder<unknown>();
  session.addEventListener(
    "tasks_changed",
    ({ detail }) => changes.add(detail),
  );
  session.addEventListener("error", ({ error }) => errors.add(error));
  return { changes, errors };
}

/** The URL of a worker in `tests/workers`. */
export function workerUrl(file: string): URL {
  return new URL(`../workers/${file}`, import.meta.url);
}

/** The contents of a session's tasks. */
export function contentsOf(session: TaskSession): string[] {
  return session.snapshot.tasks.map(({ content }) => content);
}
