/**
 * From the words on the command line to an exit code.
 *
 * @module
 */

import { TasksError } from "../../mod.ts";
import { parseRequest, type Request } from "./arguments.ts";
import { EXIT, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { refusalCode, refuse } from "./refusal.ts";
import { commandHelp, programHelp } from "./help.ts";
import { type Output, OutputError, processOutput } from "./output.ts";
import { oneLine } from "./texts.ts";

/** Carries out what the command line asks for, and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const plain = processOutput(() => false);
  try {
    return await carryOut(parseRequest(args, COMMANDS), plain);
  } catch (error) {
    if (error instanceof OutputError) {
      if (error.isClosed) return EXIT.done;
      plain.note(`tasks: The output cannot be written: ${error.message}.`);
      return EXIT.failed;
    }
    if (!(error instanceof UsageError)) throw error;
    const { message, command } = error;
    plain.note(`tasks: ${oneLine(message)}`);
    const call = command === undefined ? "tasks" : `tasks ${command.name}`;
    plain.note(`Run ${call} --help to see how it goes.`);
    return EXIT.usage;
  }
}

async function carryOut(request: Request, plain: Output): Promise<number> {
  if (request.kind === "help") {
    const { command } = request;
    plain.print(
      command === undefined ? programHelp(COMMANDS) : commandHelp(command),
    );
    return EXIT.done;
  }
  const output = processOutput(request.flag);
  const input = { ...request, output };
  try {
    return await request.command.run(input);
  } catch (error) {
    if (error instanceof UsageError) {
      const { message } = error;
      const refusal = {
        error: { code: "invalid_arguments", message },
      } as const;
      if (input.flag("json")) refuse(input, refusal);
      throw new UsageError(error.message, request.command);
    }
    if (!(error instanceof TasksError)) throw error;
    const { code, message, taskIds } = error;
    const data = taskIds.length > 0
      ? { code, message, taskIds }
      : { code, message };
    refuse(input, { error: data });
    return refusalCode(data);
  }
}
