/**
 * Serving over standard input and output, from the first message to the end.
 *
 * @module
 */

import process from "node:process";
import { Writable } from "node:stream";

// @ts-types="@modelcontextprotocol/sdk/server/stdio"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { TaskSession } from "../../mod.ts";
import type { TasksServer } from "./server.ts";

/** What is served, and until when. */
export interface StdioOptions {
  readonly server: TasksServer;
  /** Closed at the end. */
  readonly session: TaskSession;
  /** Aborts when the process is told to end. */
  readonly stop: AbortSignal;
}

/**
 * Serves until the client closes standard input, nobody reads standard output any
 * more, or the process is told to end. What was asked before is answered then.
 */
export async function serveStdio(
  { server, session, stop }: StdioOptions,
): Promise<void> {
  const { stdin } = process;
  // That of `node:process` stops the whole process while nobody reads.
  const stdout = Writable.fromWeb(Deno.stdout.writable);
  const over = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<void>();
  // Each answer waits for room by itself.
  stdout.setMaxListeners(0);
  stdout.on("error", broken.resolve);
  stdin.once("end", over.resolve);
  server.onclose = over.resolve;
  stop.addEventListener("abort", () => over.resolve());

  await server.connect(new StdioServerTransport(stdin, stdout));
  if (stop.aborted) over.resolve();
  await Promise.race([over.promise, broken.promise.then(() => server.close())]);

  // Handlers begin, and answers are sent, in the same turn; only the session
  // takes longer.
  await nextTurn();
  await session.close();
  await nextTurn();
  await Promise.race([flushed(stdout), broken.promise]);
  await server.close();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function flushed(stdout: Writable): Promise<void> {
  return new Promise((resolve) => stdout.write("", () => resolve()));
}
