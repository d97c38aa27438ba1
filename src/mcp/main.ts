/**
 * The command line. Standard output belongs to the protocol; what a person should
 * know goes to standard error.
 *
 * @module
 */

import { openSession, TasksError, type TaskSession } from "../../mod.ts";
import { type Command, readArguments, USAGE } from "./arguments.ts";
import { createTasksServer } from "./server.ts";
import { stopSignal } from "./signals.ts";
import { serveStdio } from "./stdio.ts";

/** Does what the arguments ask for, and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const command = readArguments(args);
  switch (command.kind) {
    case "help":
      console.log(USAGE);
      return 0;
    case "misuse":
      console.error(`${command.message}\n\n${USAGE}`);
      return 2;
    case "serve":
      return await serve(command);
  }
}

async function serve(
  { sessionId, sessionDir, view }: Extract<Command, { kind: "serve" }>,
): Promise<number> {
  const stop = stopSignal();
  let session: TaskSession;
  try {
    session = await openSession({
      sessionId,
      ...(sessionDir !== undefined && { sessionDir }),
      watchFile: true,
      signal: stop,
    });
  } catch (error) {
    if (stop.aborted) return 0;
    if (!(error instanceof TasksError)) throw error;
    console.error(error.message);
    return 1;
  }
  for (const { message } of session.warnings) console.error(message);
  session.addEventListener("error", ({ message }) => console.error(message));

  const server = createTasksServer(session, { view });
  server.onerror = ({ message }) => console.error(message);
  await serveStdio({ server, session, stop });
  return 0;
}
