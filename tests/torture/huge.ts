import { row } from "../support/sidecar.ts";
import { Child } from "./child.ts";
import type { Random } from "./random.ts";
import { expect, type Torture, within } from "./round.ts";
import { expectSame, Scene, SESSION, SIDECAR } from "./scene.ts";
import type { Visit } from "./visit.ts";

const MEGABYTE = 1_000_000;
const HEAP_MEGABYTES = 2_000;
const TIMEOUT_MS = 120_000;

/** Sidecars that are far too large, and what is no file at all. */
export const huge: Torture = {
  name: "huge",
  shows: "huge sidecars and devices end in an answer, in bounded memory",
  rounds: 1,
  async run(rounds: number, random: Random): Promise<string> {
    const said = new Set<string>();
    for (let i = 1; i <= rounds; i++) {
      for (const subject of SUBJECTS) {
        const where = `huge, round ${i}, ${subject.name}`;
        const visit = await within(
          300,
          where,
          Scene.play(random, (scene) => call(scene, subject, where)),
        );
        said.add(
          `${subject.name}: ${
            visit.opened === "well" ? `${visit.tasks} tasks` : visit.opened
          }`,
        );
      }
    }
    return `within ${HEAP_MEGABYTES} MB of heap: ${[...said].join(", ")}`;
  },
};

interface Subject {
  readonly name: string;
  put(path: string): Promise<void>;
  readonly visit: Partial<Visit>;
  readonly timeoutMs?: number;
}

const SUBJECTS: readonly Subject[] = [
  {
    name: "200 MB of NULs",
    put: async (path) => {
      using file = await Deno.open(path, { createNew: true, write: true });
      await file.truncate(200 * MEGABYTE);
    },
    visit: {
      opened: "well",
      tasks: 0,
      warnings: ["moved_aside"],
      added: "well",
    },
  },
  {
    name: "200 MB of tasks",
    put: (path) => putTasks(path, 12_500, "x".repeat(16_000)),
    visit: { opened: "well", tasks: 12_500, warnings: [], added: "well" },
  },
  {
    name: "a million tasks",
    put: (path) => putTasks(path, 1_000_000, "x"),
    visit: { opened: "well", tasks: 1_000_000, warnings: [], added: "well" },
  },
  {
    name: "a device without end",
    put: (path) => Deno.symlink("/dev/full", path),
    visit: { opened: "open_failed" },
    timeoutMs: 5_000,
  },
  {
    name: "a pipe",
    put: async (path) => {
      await new Deno.Command("mkfifo", { args: [path] }).output();
    },
    visit: { opened: "open_failed" },
    timeoutMs: 5_000,
  },
];

async function putTasks(
  path: string,
  count: number,
  content: string,
): Promise<void> {
  await Deno.writeFile(path, ReadableStream.from(chunks(count, content)));
}

/** The sidecar of that many tasks. */
function* chunks(
  count: number,
  content: string,
): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const head = { version: 1, session_id: SESSION, revision: 1 };
  yield encoder.encode(`${JSON.stringify(head).slice(0, -1)},"tasks":[`);
  for (let i = 0; i < count;) {
    const rows = [];
    for (const end = Math.min(count, i + 1_000); i < end; i++) {
      rows.push(JSON.stringify(row(`t_${i}_aaaa`, { content })));
    }
    yield encoder.encode(rows.join(",\n") + (i < count ? ",\n" : "]}\n"));
  }
}

async function call(
  scene: Scene,
  { put, visit, timeoutMs = TIMEOUT_MS }: Subject,
  where: string,
): Promise<Visit> {
  await put(scene.at(SIDECAR));
  const said: string[] = [];
  await using child = new Child({
    script: "visit.ts",
    input: {
      session: {
        sessionId: SESSION,
        sessionDir: scene.sessionDir,
        requestTimeoutMs: timeoutMs,
      },
    },
    flags: [`--v8-flags=--max-old-space-size=${HEAP_MEGABYTES}`],
    onLine: (line) => said.push(line),
  });
  const { code, signal, stderr } = await child.end();
  expect(code === 0, `${where}: it ended with ${signal ?? code}: ${stderr}`);
  const actual: Visit = JSON.parse(said.join(""));
  expectSame(actual, { ...actual, ...visit }, where);
  return actual;
}
