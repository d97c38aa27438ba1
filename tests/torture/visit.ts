// Opens a session, looks at it, adds a task, and says how that went.
// Argument: VisitInput as JSON.

import { openSession, type SessionOptions, TasksError } from "../../mod.ts";

/** What a visitor is told. */
export interface VisitInput {
  readonly session: SessionOptions;
}

/** How a visit went. */
export interface Visit {
  /** `well`, or the code of the refusal. */
  readonly opened: string;
  /** The codes of the warnings. */
  readonly warnings: readonly string[];
  /** How many tasks there were. */
  readonly tasks: number;
  /** `well`, or the code of the refusal; empty when nothing was added. */
  readonly added: string;
  /** What the first refusal said. */
  readonly message: string;
}

/** Visits a session. */
export async function visit(options: SessionOptions): Promise<Visit> {
  const nothing = { warnings: [], tasks: 0, added: "", message: "" };
  try {
    await using session = await openSession(options);
    const { tasks } = await session.tasks({ action: "list" });
    const { result } = await session.handleToolCall({
      action: "add",
      content: "after",
    });
    return {
      opened: "well",
      warnings: session.warnings.map(({ code }) => code),
      tasks: tasks.length,
      added: "error" in result ? result.error.code : "well",
      message: "error" in result ? result.error.message : "",
    };
  } catch (error) {
    if (!(error instanceof TasksError)) throw error;
    return { ...nothing, opened: error.code, message: error.message };
  }
}

if (import.meta.main) {
  const { session }: VisitInput = JSON.parse(Deno.args[0] ?? "");
  console.log(JSON.stringify(await visit(session)));
}
