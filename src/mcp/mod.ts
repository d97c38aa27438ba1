/**
 * A task session as an MCP server.
 *
 * Run it, and it serves one session over standard input and output:
 *
 * ```sh
 * deno run -A jsr:@kin/tasks-dag/mcp --session demo
 * ```
 *
 * Import it, and {@linkcode createTasksServer} makes the same server for a
 * session that you have opened yourself, to connect to a transport of yours.
 *
 * @module
 */

export type { TasksServerOptions } from "./options.ts";
export {
  createTasksServer,
  type TasksServer,
  type TasksServerTransport,
} from "./server.ts";

if (import.meta.main) {
  // Whoever only imports this loads neither the command line nor its transport.
  const { main } = await import("./main.ts");
  Deno.exit(await main(Deno.args));
}
