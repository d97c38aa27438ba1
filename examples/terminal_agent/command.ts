/**
 * What a person can ask of the scripted agent.
 *
 * @module
 */

import { parsePlan, type PlanStep } from "./plan.ts";

/** A request, understood. Tasks are named as they were typed: by number or id. */
export type Command =
  | {
    readonly name: "add";
    readonly content: string;
    readonly after: readonly string[];
  }
  | {
    readonly name: "start";
    readonly task: string;
    readonly activeForm: string;
  }
  | {
    readonly name: "done" | "reopen" | "remove";
    readonly tasks: readonly string[];
  }
  | {
    readonly name: "block";
    readonly task: string;
    readonly by: readonly string[];
  }
  | { readonly name: "unblock"; readonly task: string }
  | { readonly name: "plan"; readonly steps: readonly PlanStep[] }
  | { readonly name: "list" | "blocked" | "help" | "quit" }
  | { readonly name: "unknown"; readonly text: string };

/** What `help` answers. */
export const HELP: readonly string[] = [
  "add <what>              add a task; add <what> after 1, 2 lets it wait",
  "start <n>               start a task; start <n> as <doing what> says it nicely",
  "done <n>, reopen <n>    complete a task, or make it pending again",
  "block <n> by <m>        let a task wait for another; unblock <n> lets it go",
  "remove <n>              remove a task",
  "list, blocked           show all tasks, or those that cannot start yet",
  "an indented list        paste one to add it as a plan: what is indented comes first",
  "ctrl+o                  look at all tasks; ctrl+t folds the panel",
  "quit or ctrl+c          leave; the tasks are kept",
];

/** Understands what was typed or pasted. */
export function parseCommand(input: string): Command {
  const text = input.trim();
  if (text.includes("\n")) return { name: "plan", steps: parsePlan(input) };
  const [word = "", rest = ""] = cut(text, /\s+/);
  switch (word.toLowerCase()) {
    case "add": {
      const [content, after = ""] = cut(rest, /\s+after\s+(?=[\d\s,]+$)/i);
      if (content === "") break;
      return { name: "add", content, after: names(after) };
    }
    case "start": {
      const [task = "", activeForm = ""] = cut(rest, /\s+as\s+/i);
      if (task === "") break;
      return { name: "start", task, activeForm };
    }
    case "done":
    case "complete":
      return { name: "done", tasks: names(rest) };
    case "reopen":
      return { name: "reopen", tasks: names(rest) };
    case "remove":
    case "rm":
      return { name: "remove", tasks: names(rest) };
    case "block": {
      const [task = "", by = ""] = cut(rest, /\s+by\s+/i);
      if (by === "") break;
      return { name: "block", task, by: names(by) };
    }
    case "unblock":
      return { name: "unblock", task: rest };
    case "list":
      return { name: "list" };
    case "blocked":
      return { name: "blocked" };
    case "help":
      return { name: "help" };
    case "quit":
    case "exit":
      return { name: "quit" };
  }
  return { name: "unknown", text };
}

function cut(text: string, at: RegExp): [string, string?] {
  const match = at.exec(text);
  if (match === null) return [text];
  return [
    text.slice(0, match.index),
    text.slice(match.index + match[0].length),
  ];
}

function names(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== "");
}
