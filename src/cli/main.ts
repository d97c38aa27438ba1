/**
 * The command line: look at the tasks of any session, also while an agent is
 * using it, and change them.
 *
 * ```sh
 * deno install -g --name tasks --allow-read --allow-write \
 *   --allow-env=KIN_SESSION_DIR,HOME,USERPROFILE jsr:@kin/tasks-dag/cli
 * tasks --help
 * ```
 *
 * It is a program and exports nothing. To read sessions from your own code use
 * `@kin/tasks-dag/sidecar`, to change them `openSession`.
 *
 * @module
 */

import { run } from "./run.ts";

if (import.meta.main) Deno.exitCode = await run(Deno.args);
