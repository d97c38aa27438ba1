import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  agentPanelKey,
  type AgentPanelView,
  createAgentPanelView,
  renderAgentPanel,
} from "@kin/tasks-dag/ui";
import type { Snapshot } from "../../src/model/task.ts";
import { GRAPHS, idOf, snapshotOf, task } from "./graphs.ts";

const SIZE = { columns: 80, rows: 10 };
const PAGE = 6;
const { snapshot } = GRAPHS.five_hundred!;

function press(
  view: AgentPanelView,
  names: readonly string[],
  tasks: Snapshot = snapshot,
): AgentPanelView | undefined {
  let next: AgentPanelView | undefined = view;
  for (const name of names) {
    if (next !== undefined) next = agentPanelKey(next, { name }, tasks, SIZE);
  }
  return next;
}

function selectedRow(
  view: AgentPanelView | undefined,
  tasks = snapshot,
): string | undefined {
  return renderAgentPanel(tasks, view ?? {}, SIZE)
    .find((line) => line.startsWith("❯"));
}

Deno.test("renderAgentPanel() shows every task, deleted ones too, as id, status and content", () => {
  const { snapshot } = GRAPHS.deleted_rows!;
  const lines = renderAgentPanel(snapshot, {}, { columns: 80, rows: 24 });
  for (const { id, status, content } of snapshot.tasks) {
    const row = lines.find((line) => line.includes(id))!;
    assert(row.indexOf(id) < row.indexOf(status));
    assert(row.indexOf(status) < row.indexOf(content));
  }
});

Deno.test("createAgentPanelView() selects where the work is", () => {
  const pick = (...statuses: ("pending" | "in_progress" | "completed")[]) =>
    createAgentPanelView(
      snapshotOf(statuses.map((status, i) => task(i, status, ""))),
    ).selectedId;
  assertEquals(pick("completed", "pending", "in_progress"), idOf(2));
  assertEquals(pick("completed", "pending"), idOf(1));
  assertEquals(pick("completed", "completed"), idOf(0));
  assertEquals(pick(), undefined);
});

Deno.test("agentPanelKey() moves by row, page and to the ends", () => {
  const start = { selectedId: idOf(1) };
  assertEquals(press(start, ["down"])?.selectedId, idOf(2));
  assertEquals(press(start, ["j", "j", "k"])?.selectedId, idOf(2));
  assertEquals(press(start, ["up"])?.selectedId, idOf(1));
  assertEquals(press(start, ["pagedown"])?.selectedId, idOf(1 + PAGE));
  assertEquals(press(start, ["pagedown", "pageup"])?.selectedId, idOf(1));
  assertEquals(press(start, ["end"])?.selectedId, idOf(500));
  assertEquals(press(start, ["end", "down"])?.selectedId, idOf(500));
  assertEquals(press(start, ["end", "home"])?.selectedId, idOf(1));
});

Deno.test("agentPanelKey() scrolls no further than it has to", () => {
  const below = press({ selectedId: idOf(1) }, Array(PAGE).fill("down"));
  assertEquals(below, { selectedId: idOf(1 + PAGE), top: 1 });
  const back = press(below!, ["up", "up"]);
  assertEquals(back, { selectedId: idOf(PAGE - 1), top: 1 });
});

Deno.test("renderAgentPanel() shows the selected task even when the window shrank", () => {
  const view = { selectedId: idOf(300), top: 280 };
  const lines = renderAgentPanel(snapshot, view, { columns: 80, rows: 5 });
  assert(lines.some((line) => line.startsWith(`❯ ${idOf(300)}`)));
});

Deno.test("the selection stays with its task while the graph changes", () => {
  const before = snapshotOf([task(1, "pending", "A"), task(2, "pending", "B")]);
  const view = press({ selectedId: idOf(1) }, ["down"], before);
  const after = snapshotOf([
    task(0, "pending", "New"),
    task(1, "deleted", "A"),
    task(2, "completed", "B"),
  ]);
  assertStringIncludes(selectedRow(view, after)!, idOf(2));
  const moved = press(view!, ["up"], after);
  assertEquals(moved?.selectedId, idOf(1));
});

Deno.test("a selection whose task is gone falls back to the first row", () => {
  const view = { selectedId: "t_gone", top: 40 };
  assertStringIncludes(selectedRow(view)!, idOf(1));
  assertEquals(press(view, ["down"])?.selectedId, idOf(2));
});

Deno.test("agentPanelKey() opens the modal and comes back to the same row", () => {
  for (const name of ["o", "return", "enter"]) {
    const opened = press({ selectedId: idOf(7), top: 3 }, [name]);
    assertEquals(opened?.modal, { taskId: idOf(7) });
    assertStringIncludes(
      renderAgentPanel(snapshot, opened!, SIZE)[0]!,
      `╭ ${idOf(7)}`,
    );
    for (const closing of ["escape", "q"]) {
      assertEquals(press(opened!, [closing]), {
        selectedId: idOf(7),
        top: 3,
        modal: undefined,
      });
    }
  }
});

Deno.test("agentPanelKey() closes the panel", () => {
  assertEquals(press({}, ["escape"]), undefined);
  assertEquals(press({}, ["q"]), undefined);
  const opened = press({ selectedId: idOf(7) }, ["o"])!;
  const ctrlO = { name: "o", ctrl: true };
  assertEquals(agentPanelKey({}, ctrlO, snapshot, SIZE), undefined);
  assertEquals(agentPanelKey(opened, ctrlO, snapshot, SIZE), undefined);
});

Deno.test("agentPanelKey() leaves the view alone on any other key", () => {
  const view = { selectedId: idOf(7), top: 3 };
  assertEquals(agentPanelKey(view, { name: "x" }, snapshot, SIZE), view);
  assertEquals(agentPanelKey(view, {}, snapshot, SIZE), view);
  const ctrlJ = { name: "j", ctrl: true };
  assertEquals(agentPanelKey(view, ctrlJ, snapshot, SIZE), view);
});

Deno.test("an empty panel takes every key", () => {
  const empty = { tasks: [] };
  for (const name of ["up", "down", "pageup", "pagedown", "home", "end", "o"]) {
    const view = press({}, [name], empty);
    assertStringIncludes(
      renderAgentPanel(empty, view!, SIZE).join("\n"),
      "No tasks yet.",
    );
  }
});
