/**
 * How the program says that something was refused.
 *
 * @module
 */

import type { ErrorData, Refusal } from "../../mod.ts";
import { EXIT, type Input } from "./command.ts";
import { jsonLine, oneLine } from "./texts.ts";

/** Tells of a refusal: as data where JSON was asked for, else as a note. */
export function refuse(input: Input, refusal: Refusal): void {
  if (input.flag("json")) input.output.print([jsonLine(refusal)]);
  else input.output.note(`tasks: ${oneLine(refusal.error.message)}`);
}

/** The exit code for a refusal. */
export function refusalCode({ code }: ErrorData): number {
  return code === "invalid_arguments" ? EXIT.usage : EXIT.failed;
}
