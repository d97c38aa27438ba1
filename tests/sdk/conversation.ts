/** A call of a tool, with the id that the provider gave it. */
export interface Call {
  readonly id: string;
  readonly input: unknown;
}

/** What the client answered to a call; some wires cannot say that it was refused. */
export interface Result {
  readonly callId: string;
  readonly text: string;
  readonly isError?: boolean;
}

/** One turn. The results of one turn come together. */
export type Turn =
  | { readonly by: "user"; readonly text: string }
  | {
    readonly by: "model";
    readonly text: string;
    readonly calls: readonly Call[];
  }
  | { readonly by: "tools"; readonly results: readonly Result[] };

/** The `tasks` tool as the client offered it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
}

/** What a client sent, in the same words whatever the wire. */
export interface Conversation {
  readonly model: string;
  readonly instructions: string;
  readonly tools: readonly OfferedTool[];
  readonly turns: readonly Turn[];
}

/** What a client sent is not what the provider takes. */
export class WireError extends Error {
  override readonly name = "WireError";
}

/** Refuses what the client sent, unless `holds`. */
export function demand(holds: boolean, message: string): asserts holds {
  if (!holds) throw new WireError(message);
}

/** Checks the order of the turns, as providers do, and that every call has one answer. */
export function checkTurns(turns: readonly Turn[]): void {
  demand(turns[0]?.by === "user", "the first turn must be the user's");
  demand(turns.at(-1)?.by !== "model", "the last turn must not be the model's");
  const seen = new Set<string>();
  for (const [at, turn] of turns.entries()) {
    const before = turns[at - 1];
    const calls = before?.by === "model" ? before.calls : [];
    const results = turn.by === "tools" ? turn.results : [];
    const called = calls.map(({ id }) => id).join();
    const answered = results.map(({ callId }) => callId).join();
    demand(
      called === answered,
      `turn ${at} must answer [${called}], and answers [${answered}]`,
    );
    for (const { id } of calls) {
      demand(!seen.has(id), `the call id ${id} is there twice`);
      seen.add(id);
    }
  }
}
