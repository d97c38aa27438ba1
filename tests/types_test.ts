// Checked by the compiler: nothing in `compile` runs. A line after
// `@ts-expect-error` fails the check when it compiles.

import type {
  AddCall,
  BlockedResult,
  ChangeResult,
  ListResult,
  Refusal,
  Snapshot,
  Task,
  TasksCall,
  TaskSession,
  TasksResult,
  TaskStatus,
  ToolResult,
} from "@kin/tasks-dag";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends
  (<T>() => T extends B ? 1 : 2) ? true
  : false;

/** Compiles only when the condition is `true`. */
function hold<Condition extends true>(_condition?: Condition): void {}

function compile(
  check: (session: TaskSession, call: TasksCall) => Promise<void>,
): void {
  void check;
}

Deno.test("tasks() has a result of the action's own type", () => {
  compile(async (session) => {
    const add = await session.tasks({ action: "add", content: "x" });
    hold<Equal<typeof add, ChangeResult<"add">>>();
    hold<Equal<typeof add.task.id, string>>();

    const update = await session.tasks({
      action: "update",
      id: add.task.id,
      status: "in_progress",
    });
    hold<Equal<typeof update, ChangeResult<"update">>>();

    const complete = await session.tasks({
      action: "complete",
      id: add.task.id,
    });
    hold<Equal<typeof complete.task.completed_at, number | undefined>>();

    const remove = await session.tasks({ action: "remove", id: add.task.id });
    hold<Equal<typeof remove.snapshot, Snapshot>>();

    const list = await session.tasks({
      action: "list",
      status_filter: "deleted",
    });
    hold<Equal<typeof list, ListResult>>();

    const blocked = await session.tasks({ action: "blocked" });
    hold<Equal<typeof blocked, BlockedResult>>();
    // @ts-expect-error: it changes nothing, so it has no snapshot
    void blocked.snapshot;
    // @ts-expect-error: it is about many tasks
    void blocked.task;
    // @ts-expect-error: it is about one task
    void add.tasks;
  });
});

Deno.test("tasks() takes a call whose action is not known before it runs", () => {
  compile(async (session, call) => {
    const result = await session.tasks(call);
    hold<Equal<typeof result, TasksResult>>();
    if (result.action === "blocked") {
      hold<Equal<typeof result, BlockedResult>>();
    }
  });
});

Deno.test("tasks() refuses wrong arguments before they are sent", () => {
  compile(async (session) => {
    // @ts-expect-error: no content
    await session.tasks({ action: "add" });
    // @ts-expect-error: content of the wrong type
    await session.tasks({ action: "add", content: 5 });
    // @ts-expect-error: the store mints ids
    await session.tasks({ action: "add", content: "x", id: "t_1" });
    // @ts-expect-error: a misspelt key
    await session.tasks({ action: "add", content: "x", blockdBy: [] });
    // @ts-expect-error: a list, not text
    await session.tasks({ action: "add", content: "x", blockedBy: "t_1" });
    // @ts-expect-error: no id
    await session.tasks({ action: "update", content: "x" });
    // @ts-expect-error: no such status
    await session.tasks({ action: "update", id: "t_1", status: "done" });
    // @ts-expect-error: blocks are derived
    await session.tasks({ action: "update", id: "t_1", blocks: [] });
    // @ts-expect-error: complete takes only an id
    await session.tasks({ action: "complete", id: "t_1", content: "x" });
    // @ts-expect-error: no id
    await session.tasks({ action: "remove" });
    // @ts-expect-error: no such status
    await session.tasks({ action: "list", status_filter: "all" });
    // @ts-expect-error: no such action
    await session.tasks({ action: "delete", id: "t_1" });
    // @ts-expect-error: no action
    await session.tasks({});
  });
});

Deno.test("tasks() takes undefined, and lists that must not be changed, for optional arguments", () => {
  compile(async (session) => {
    const blockedBy: readonly string[] = Object.freeze(["t_1"]);
    await session.tasks({
      action: "add",
      content: "x",
      blockedBy,
      active_form: undefined,
    });
    const call: AddCall = { action: "add", content: "x", blockedBy: undefined };
    const { task } = await session.tasks(call);
    await session.tasks({
      action: "add",
      content: "x",
      blockedBy: task.blockedBy,
    });
  });
});

Deno.test("what comes back must not be changed", () => {
  compile(async (session) => {
    const { task, snapshot } = await session.tasks({
      action: "add",
      content: "x",
    });
    // @ts-expect-error: readonly
    task.status = "completed";
    // @ts-expect-error: readonly
    task.blockedBy?.push("t_1");
    // @ts-expect-error: readonly
    snapshot.tasks.push(task);
    // @ts-expect-error: readonly
    session.snapshot = snapshot;
    // @ts-expect-error: readonly
    session.snapshot.tasks[0] = task;
    // @ts-expect-error: readonly
    session.warnings.length = 0;
    // @ts-expect-error: readonly
    session.sessionId = "other";
  });
});

Deno.test("a task has the keys of the wire, and no others", () => {
  hold<
    Equal<
      keyof Task,
      | "id"
      | "content"
      | "status"
      | "active_form"
      | "blockedBy"
      | "blocks"
      | "completed_at"
    >
  >();
  hold<
    Equal<TaskStatus, "pending" | "in_progress" | "completed" | "deleted">
  >();
});

Deno.test("handleToolCall() takes anything, and a refusal can be told from a result", () => {
  compile(async (session) => {
    const input: unknown = JSON.parse("{}");
    const answer = await session.handleToolCall(input);
    hold<Equal<typeof answer, ToolResult>>();
    const { result } = answer;
    if ("error" in result) hold<Equal<typeof result, Refusal>>();
    else hold<Equal<typeof result, TasksResult>>();
  });
});

Deno.test("the events of a session are typed by name", () => {
  compile((session) => {
    session.addEventListener("tasks_changed", ({ detail }) => {
      hold<Equal<typeof detail.snapshot, Snapshot>>();
      hold<Equal<typeof detail.revision, number>>();
      // @ts-expect-error: readonly
      detail.revision = 1;
    });
    session.addEventListener("error", (event) => void event.message);
    return Promise.resolve();
  });
});

Deno.test("a session is closed at the end of its scope", () => {
  compile(async (session) => {
    await using owned = session;
    void owned.sidecarPath;
  });
});
