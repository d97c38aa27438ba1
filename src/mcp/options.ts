/**
 * How a server serves its session.
 *
 * @module
 */

import type { ToolView } from "../../mod.ts";

/** Options for `createTasksServer`. */
export interface TasksServerOptions {
  /**
   * The text that a result has for the model. Only with `json` there is structured
   * content as well: many clients give the model that in place of the text.
   *
   * @default {"json"}
   */
  readonly view?: ToolView | undefined;
  /**
   * How often a call that waits says so to a client that asked for progress, in
   * milliseconds.
   *
   * @default {1_000}
   */
  readonly progressEveryMs?: number | undefined;
}
