/**
 * What is wrong with a sidecar, in words.
 *
 * @module
 */

import type { SessionWarning } from "../../mod.ts";
import type { SidecarReading } from "../sidecar/mod.ts";
import { wrap } from "../ui/mod.ts";
import type { Page } from "./output.ts";
import { isSound } from "./reading.ts";
import { oneLine } from "./texts.ts";

const INDENT = "  ";

/** What the file is like, and what opening the session would do. */
export function checkLines(
  sessionId: string,
  reading: SidecarReading,
  { columns }: Page,
): string[] {
  const paragraph = (text: string, indent: string): string[] => {
    if (columns === undefined) return [indent + oneLine(text)];
    return wrap(text, columns - indent.length).map((line) => indent + line);
  };
  return [
    ...paragraph(`${sessionId}: ${verdictOn(reading)}`, ""),
    ...paragraph(reading.path, INDENT),
    ...findingsIn(reading).flatMap((text) => paragraph(text, INDENT)),
  ];
}

function verdictOn(reading: SidecarReading): string {
  switch (reading.kind) {
    case "missing":
      return "There is no file.";
    case "corrupt":
      return `The file is no sidecar, because ${reading.reason}.`;
    case "refused":
      return "The session cannot be opened.";
    case "sidecar": {
      const { snapshot: { tasks }, revision } = reading;
      const verdict = isSound(reading)
        ? "Nothing is wrong."
        : "The file is damaged.";
      const noun = tasks.length === 1 ? "task" : "tasks";
      return `${verdict} It holds ${tasks.length} ${noun}, at revision ${revision}.`;
    }
  }
}

function findingsIn(reading: SidecarReading): string[] {
  switch (reading.kind) {
    case "missing":
      return ["Opening the session would start with no tasks."];
    case "corrupt":
      return [
        "Opening the session would move the file aside, to a name that ends in " +
        ".corrupt- and the time, and start with no tasks.",
      ];
    case "refused":
      return [reading.error.message];
    case "sidecar":
      return reading.warnings.length === 0 ? [] : [
        "Opening the session now would say:",
        ...warningsIn(reading.warnings),
      ];
  }
}

function warningsIn(warnings: readonly SessionWarning[]): string[] {
  return warnings.map(({ code, message }) => `${code}: ${message}`);
}
