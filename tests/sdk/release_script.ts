// A model that plans a release, closes a cycle, mends it, and finishes the work
// in a later run.

import type { Conversation, Result } from "./conversation.ts";
import type { Script } from "./provider_server.ts";

/** The results of the newest turn. */
export function resultsOf({ turns }: Conversation): readonly Result[] {
  const last = turns.at(-1);
  return last?.by === "tools" ? last.results : [];
}

/** The id of the task with this content, as the model reads it in the results so far. */
function idOf({ turns }: Conversation, content: string): string {
  const texts = turns.flatMap((turn) =>
    turn.by === "tools" ? turn.results.map(({ text }) => text) : []
  );
  for (const text of texts.reverse()) {
    const tasks: { id: string; content: string }[] =
      JSON.parse(text).snapshot?.tasks ?? [];
    const task = tasks.find((task) => task.content === content);
    if (task !== undefined) return task.id;
  }
  throw new Error(`no result tells of ${content}`);
}

export const NOTES = "Write the release notes";
export const CHECKS = "Run the checks";
export const TAG = "Tag the release";

export const PLAN: Script = [
  () => ({
    text: "I'll plan the release.",
    calls: [
      { action: "add", content: NOTES },
      { action: "add", content: CHECKS },
      { action: "add", content: TAG },
    ],
  }),
  (conversation) => ({
    text: "The tag waits for both of the others. Checks first.",
    calls: [
      {
        action: "update",
        id: idOf(conversation, TAG),
        blockedBy: [idOf(conversation, NOTES), idOf(conversation, CHECKS)],
      },
      {
        action: "update",
        id: idOf(conversation, CHECKS),
        status: "in_progress",
      },
    ],
  }),
  (conversation) => ({
    text: "The notes name the tag, so they wait for it. The checks are done.",
    calls: [
      {
        action: "update",
        id: idOf(conversation, NOTES),
        blockedBy: [idOf(conversation, TAG)],
      },
      { action: "complete", id: idOf(conversation, CHECKS) },
    ],
  }),
  (conversation) => ({
    text: "That would be a cycle. The notes only wait for the checks.",
    calls: [{
      action: "update",
      id: idOf(conversation, NOTES),
      blockedBy: [idOf(conversation, CHECKS)],
    }],
  }),
  () => ({ text: "The notes are next. Tell me when to go on." }),
];

export const FINISH: Script = [
  () => ({ text: "What is open?", calls: [{ action: "list" }] }),
  (conversation) => ({
    text: "Notes, then the tag.",
    calls: [
      { action: "complete", id: idOf(conversation, NOTES) },
      { action: "complete", id: idOf(conversation, TAG) },
    ],
  }),
  () => ({ text: "The release is out." }),
];
