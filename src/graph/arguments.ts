/**
 * From what a model sent to a call: lenient on shape, strict on meaning.
 *
 * Everything that models are known to get wrong about the form of a call is
 * settled here and nowhere else.
 *
 * @module
 */

import { TasksError } from "../model/errors.ts";
import { printable, quote } from "../model/text.ts";
import type { TasksAction, TasksCall, TaskStatus } from "../model/task.ts";
import { ACTIONS, MAX_TEXT_LENGTH, STATUSES } from "../model/vocabulary.ts";
import { cleanText } from "../model/text.ts";

type Key =
  | "content"
  | "active_form"
  | "blockedBy"
  | "id"
  | "status"
  | "status_filter";

const KEYS_OF: Readonly<Record<TasksAction, readonly Key[]>> = {
  add: ["content", "blockedBy", "active_form"],
  update: ["id", "content", "status", "blockedBy", "active_form"],
  complete: ["id"],
  remove: ["id"],
  list: ["status_filter"],
  blocked: [],
};

const SPELLINGS: ReadonlyMap<string, Key> = new Map<string, Key>([
  ["content", "content"],
  ["active_form", "active_form"],
  ["activeForm", "active_form"],
  ["blockedBy", "blockedBy"],
  ["blocked_by", "blockedBy"],
  ["id", "id"],
  ["taskId", "id"],
  ["task_id", "id"],
  ["status", "status"],
  ["status_filter", "status_filter"],
  ["statusFilter", "status_filter"],
]);

const STATUS_WORDS: ReadonlyMap<string, TaskStatus> = new Map<
  string,
  TaskStatus
>([
  ...STATUSES.map((status) => [status, status] as const),
  ["todo", "pending"],
  ["open", "pending"],
  ["doing", "in_progress"],
  ["done", "completed"],
  ["complete", "completed"],
  ["removed", "deleted"],
]);

/** The status that an action gives anyway, so that a model may repeat it. */
const IMPLIED_STATUS: ReadonlyMap<TasksAction, TaskStatus> = new Map<
  TasksAction,
  TaskStatus
>([
  ["add", "pending"],
  ["complete", "completed"],
  ["remove", "deleted"],
]);

const WRAPPERS = ["arguments", "args", "input", "params"];

/**
 * Reads a call.
 *
 * @throws {TasksError} `invalid_arguments`, saying what to send instead.
 */
export function parseCall(input: unknown): TasksCall {
  const fields = unwrap(input);
  const action = readAction(fields.action);
  const values = collect(fields, action);
  const text = (key: "content" | "active_form") =>
    readText(values.get(key), key);
  switch (action) {
    case "add": {
      const content = text("content");
      if (content === undefined) {
        throw invalid(
          '"content" is required: say in a few words what is to be done.',
        );
      }
      return {
        action,
        content,
        blockedBy: readBlockers(values.get("blockedBy"), action),
        active_form: text("active_form"),
      };
    }
    case "update":
      return {
        action,
        id: readId(values.get("id"), action),
        content: text("content"),
        status: readStatus(values.get("status"), "status"),
        blockedBy: readBlockers(values.get("blockedBy"), action),
        active_form: text("active_form"),
      };
    case "complete":
    case "remove":
      return { action, id: readId(values.get("id"), action) };
    case "list":
      return {
        action,
        status_filter: readStatus(values.get("status_filter"), "status_filter"),
      };
    case "blocked":
      return { action };
  }
}

/** The action that a call names, whatever else is wrong with it. */
export function actionOf(input: unknown): TasksAction | undefined {
  try {
    return readAction(unwrap(input).action);
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function invalid(message: string): TasksError {
  return new TasksError("invalid_arguments", message);
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unwrap(input: unknown): Fields {
  const outer = parseIfText(input);
  const keys = Object.keys(outer);
  const wrapper = keys.length === 1
    ? WRAPPERS.find((name) => name === keys[0])
    : undefined;
  return wrapper === undefined ? outer : parseIfText(outer[wrapper]);
}

function parseIfText(input: unknown): Fields {
  let value = input;
  if (typeof input === "string" && input.trim().startsWith("{")) {
    try {
      value = JSON.parse(input.trim());
    } catch {
      throw invalid(
        'The call is a string that is not valid JSON. Send an object, for example {"action":"list"}.',
      );
    }
  }
  return isObject(value) ? value : {};
}

function readAction(value: unknown): TasksAction {
  const choices = `one of ${ACTIONS.join(", ")}`;
  if (isEmpty(value)) {
    throw invalid(
      `"action" is required: ${choices}. For example {"action":"list"}.`,
    );
  }
  const word = typeof value === "string" ? toWord(value) : undefined;
  const action = ACTIONS.find((known) => known === word);
  if (action === undefined) {
    throw invalid(`There is no action ${describe(value)}. Send ${choices}.`);
  }
  return action;
}

/** The values that were given, by key, aliases resolved; refuses what the action does not take. */
function collect(
  fields: Fields,
  action: TasksAction,
): ReadonlyMap<Key, unknown> {
  const values = new Map<Key, unknown>();
  const legal = KEYS_OF[action];
  for (const [spelling, value] of Object.entries(fields)) {
    if (spelling === "action" || isEmpty(value)) continue;
    const key = SPELLINGS.get(spelling);
    if (key === undefined || !legal.includes(key)) {
      if (key !== undefined && isEmptyList(value)) continue;
      if (key === "status" && isImplied(value, action)) continue;
      throw invalid(explainKey(spelling, key, action));
    }
    if (values.has(key) && !isSame(values.get(key), value)) {
      throw invalid(
        `"${key}" was given twice with different values. Send it once, as "${key}".`,
      );
    }
    values.set(key, value);
  }
  return values;
}

function explainKey(
  spelling: string,
  key: Key | undefined,
  action: TasksAction,
): string {
  const legal = KEYS_OF[action];
  const takes = legal.length === 0
    ? `"${action}" takes no other keys`
    : `"${action}" takes ${legal.map((name) => `"${name}"`).join(", ")}`;
  if (key === "id" && action === "add") {
    return `"add" does not take "id": the id is made for you and returned. Leave it out.`;
  }
  if (key !== undefined) {
    const others = ACTIONS.filter((other) => KEYS_OF[other].includes(key))
      .map((other) => `"${other}"`).join(", ");
    return `"${action}" does not take "${key}", which belongs to ${others}; ` +
      `${takes}.`;
  }
  const near = nearest(spelling, legal);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return `There is no key ${quote(spelling)}; ${takes}.${hint}`;
}

/** What counts as not given: models fill the optional fields of a flat schema with these. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null ||
    (typeof value === "string" && value.trim() === "");
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isEmpty);
}

function isSame(a: unknown, b: unknown): boolean {
  const list = (value: unknown) => Array.isArray(value) ? value : [value];
  const [left, right] = [list(a), list(b)];
  return left.length === right.length &&
    left.every((item, i) => Object.is(item, right[i]));
}

function readText(
  value: unknown,
  key: "content" | "active_form",
): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string") {
    throw invalid(`"${key}" must be a string, not ${describe(value)}.`);
  }
  const text = cleanText(value);
  if (text.trim() === "") {
    throw invalid(
      `"${key}" holds nothing but control characters. Send readable text.`,
    );
  }
  if (text.length > MAX_TEXT_LENGTH) {
    throw invalid(
      `"${key}" has ${text.length} characters; at most ${MAX_TEXT_LENGTH} are kept in a task. ` +
        "Put the long text into a file and name the file here.",
    );
  }
  return text;
}

function readId(value: unknown, action: TasksAction): string {
  if (value === undefined) {
    throw invalid(
      `"id" is required: which task to ${action}, as an id that "add" returned.`,
    );
  }
  if (typeof value !== "string") {
    throw invalid(
      '"id" must be a string such as "t_1720600000000_a1b2", not ' +
        `${describe(value)}.`,
    );
  }
  return value.trim();
}

function readStatus(
  value: unknown,
  key: "status" | "status_filter",
): TaskStatus | undefined {
  if (value === undefined) return undefined;
  const status = toStatus(value);
  if (status !== undefined) return status;
  const otherwise = key === "status_filter" ? ", or leave it out for all" : "";
  throw invalid(
    `"${key}" cannot be ${describe(value)}. Send one of ` +
      `${STATUSES.join(", ")}${otherwise}.`,
  );
}

function toStatus(value: unknown): TaskStatus | undefined {
  return typeof value === "string"
    ? STATUS_WORDS.get(toWord(value))
    : undefined;
}

function isImplied(status: unknown, action: TasksAction): boolean {
  const implied = IMPLIED_STATUS.get(action);
  return implied !== undefined && toStatus(status) === implied;
}

const BLOCKED_BY_FORM = '"blockedBy" must be an array of task ids, ' +
  'for example {"blockedBy":["t_1720600000000_a1b2"]}';

function readBlockers(
  value: unknown,
  action: "add" | "update",
): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const items = typeof value === "string" ? splitBlockers(value) : value;
  if (!Array.isArray(items)) {
    throw invalid(`${BLOCKED_BY_FORM}; it is ${describe(value)}.`);
  }
  const ids = new Set<string>();
  items.forEach((item, at) => {
    if (isEmpty(item)) return;
    if (typeof item !== "string") {
      throw invalid(`${BLOCKED_BY_FORM}; its item ${at} is ${describe(item)}.`);
    }
    ids.add(item.trim());
  });
  if (ids.size === 0 && items.length > 0 && action === "update") {
    throw invalid(
      '"blockedBy" holds only empty values. Send [] to clear it, or leave it ' +
        "out to keep it as it is.",
    );
  }
  return [...ids];
}

function splitBlockers(text: string): unknown {
  if (!text.trim().startsWith("[")) return text.split(/[\s,]+/);
  try {
    return JSON.parse(text.trim());
  } catch {
    throw invalid(
      `${BLOCKED_BY_FORM}; it is a string that starts like one but is not valid JSON.`,
    );
  }
}

function toWord(text: string): string {
  return text.trim().toLowerCase().replace(/[\s-]+/g, "_");
}

function describe(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "function" || typeof value === "symbol") {
    return `a ${typeof value}`;
  }
  return `the ${typeof value} ${printable(String(value))}`;
}

/** The candidate that is fewest edits away, if that is close enough to be a slip. */
function nearest(
  word: string,
  candidates: readonly string[],
): string | undefined {
  if (word.length > 40) return undefined;
  const scored = candidates.map((candidate) => ({
    candidate,
    edits: editDistance(word.toLowerCase(), candidate.toLowerCase()),
  })).sort((a, b) => a.edits - b.edits);
  const best = scored[0];
  return best !== undefined && best.edits <= Math.max(2, word.length / 3)
    ? best.candidate
    : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(replace, row[j]! + 1, next[j - 1]! + 1);
    }
    row = next;
  }
  return row[b.length]!;
}
