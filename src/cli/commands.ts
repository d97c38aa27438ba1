/**
 * The commands, in the order in which the help names them.
 *
 * @module
 */

import type { Command } from "./command.ts";
import { ADD, COMPLETE, REMOVE, UPDATE } from "./commands/change.ts";
import { CHECK } from "./commands/check.ts";
import { GRAPH } from "./commands/graph.ts";
import { BLOCKED, LIST } from "./commands/list.ts";
import { SESSIONS } from "./commands/sessions.ts";
import { SHOW } from "./commands/show.ts";
import { WATCH } from "./commands/watch.ts";

/** Every command of the program. */
export const COMMANDS: readonly Command[] = [
  LIST,
  BLOCKED,
  SHOW,
  WATCH,
  GRAPH,
  SESSIONS,
  CHECK,
  ADD,
  UPDATE,
  COMPLETE,
  REMOVE,
];
