import type {
  AddCall,
  CompleteCall,
  RemoveCall,
  UpdateCall,
} from "../../mod.ts";

/** A call that changes the graph. */
export type Change = AddCall | UpdateCall | CompleteCall | RemoveCall;

/** What a row must say, whoever shows it: an answer, a snapshot or the sidecar. */
export interface Row {
  readonly content: string;
  readonly status: string;
  readonly active_form?: string | undefined;
  readonly blockedBy?: readonly string[] | undefined;
  /** `true` stands for a time that nobody has told yet. */
  readonly completed_at?: number | true | undefined;
}

/** The row that a call makes of this one, or of none. */
export function rowAfter(row: Row | undefined, call: Change): Row | undefined {
  if (call.action === "add") return { ...call, status: "pending" };
  if (row === undefined) return undefined;
  const next = { ...row, ...changesOf(call) };
  return {
    ...next,
    completed_at: next.status === "completed"
      ? row.completed_at ?? true
      : undefined,
  };
}

function changesOf(call: Exclude<Change, { action: "add" }>): Partial<Row> {
  switch (call.action) {
    case "update": {
      const { action: _action, id: _id, ...given } = call;
      return given as Partial<Row>;
    }
    case "complete":
      return { status: "completed" };
    case "remove":
      return { status: "deleted" };
  }
}

/** Whether a row says what it must. */
export function isRow(actual: Row, expected: Row | undefined): boolean {
  return expected !== undefined &&
    actual.content === expected.content &&
    actual.status === expected.status &&
    actual.active_form === expected.active_form &&
    `${actual.blockedBy ?? ""}` === `${expected.blockedBy ?? ""}` &&
    (expected.completed_at === true
      ? actual.completed_at !== undefined
      : actual.completed_at === expected.completed_at);
}
