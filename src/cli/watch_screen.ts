/**
 * `watch` in a terminal: the views, live.
 *
 * @module
 */

import type { SidecarReading } from "../sidecar/mod.ts";
import { openScreen, processTerminal } from "../ui/mod.ts";
import { EXIT, type Input } from "./command.ts";
import { followSession } from "./follow.ts";
import { problemWith } from "./reading.ts";
import type { SessionChoice } from "./session_choice.ts";
import {
  createWatchView,
  type Watched,
  watchFrame,
  watchKey,
} from "./watch_frame.ts";

/** Shows the session until the person leaves. */
export async function watchInTerminal(
  input: Input,
  choice: SessionChoice,
): Promise<number> {
  const { sessionId } = choice;
  const { color } = input.output.page;
  const left = new AbortController();
  const readings = followSession(choice, left.signal);
  let watched: Watched = { sessionId, revision: 0, snapshot: { tasks: [] } };
  // Read before anything is drawn, so that nothing empty flashes up.
  const first = await readings.next();
  if (!first.done) watched = withReading(watched, first.value);
  let view = createWatchView(watched.snapshot, input.flag("pinned"));

  using screen = openScreen({
    terminal: { ...processTerminal(), color },
    render: (size) => watchFrame(watched, view, size, color),
    onKey(key): void {
      const next = watchKey(view, key, watched.snapshot, screen.size);
      if (next === undefined) return left.abort();
      view = next;
      screen.refresh();
    },
  });
  for await (const reading of readings) {
    watched = withReading(watched, reading);
    screen.refresh();
  }
  return EXIT.done;
}

/** What there is to see after a reading: of a file that is no good, what was there before. */
function withReading(watched: Watched, reading: SidecarReading): Watched {
  if (reading.kind !== "sidecar") {
    return { ...watched, problem: problemWith(reading) };
  }
  const { sessionId } = watched;
  const { revision, snapshot } = reading;
  return { sessionId, revision, snapshot };
}
