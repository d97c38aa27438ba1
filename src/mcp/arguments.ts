/**
 * From the arguments of the command line to what it is asked to do.
 *
 * @module
 */

import { parseArgs } from "node:util";
import type { ToolView } from "../../mod.ts";

/** What the command line asks for. */
export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "misuse"; readonly message: string }
  | {
    readonly kind: "serve";
    readonly sessionId: string;
    readonly sessionDir: string | undefined;
    readonly view: ToolView | undefined;
  };

const VIEWS: readonly ToolView[] = ["json", "lines", "row"];

/** What `--help` prints. */
export const USAGE = `Serves the tasks of one session to an MCP client.

Usage: deno run -A jsr:@kin/tasks-dag/mcp --session <id> [options]

  --session <id>  the session; it is made when it is not there yet
  --dir <dir>     the directory of its file; by default KIN_SESSION_DIR,
                  else .kin/sessions in the home directory
  --view <view>   the text of a result: json (the default), lines (one for every
                  task), or row (what the call was about)
  --help          print this and end`;

/** Reads the arguments. */
export function readArguments(args: readonly string[]): Command {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        session: { type: "string" },
        dir: { type: "string" },
        view: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) return { kind: "help" };
    if (values.session === undefined) {
      return misuse("--session is missing: name the session to serve.");
    }
    const view = VIEWS.find((name) => name === values.view);
    if (view !== values.view) {
      return misuse(`--view must be one of ${VIEWS.join(", ")}.`);
    }
    return {
      kind: "serve",
      sessionId: values.session,
      sessionDir: values.dir,
      view,
    };
  } catch (error) {
    if (error instanceof TypeError) return misuse(error.message);
    throw error;
  }
}

function misuse(message: string): Command {
  return { kind: "misuse", message };
}
