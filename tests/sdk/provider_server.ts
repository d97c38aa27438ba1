import { equal } from "@std/assert/equal";

import {
  type Call,
  checkTurns,
  type Conversation,
  demand,
  type Turn,
} from "./conversation.ts";

/** What the model says next: some text, and the arguments of its calls. */
export interface Reply {
  readonly text: string;
  readonly calls?: readonly unknown[];
}

/** The model's replies in order; each may look at what was said before. */
export type Script = readonly ((
  conversation: Conversation,
) => Reply | Promise<Reply>)[];

/** A reply with what the provider adds to it. */
export interface NumberedReply {
  readonly serial: number;
  readonly model: string;
  readonly text: string;
  readonly calls: readonly Call[];
}

/** How a provider's requests and responses look. */
export interface Wire {
  readonly path: string;
  /** @throws {WireError} When the provider would not take the request. */
  readRequest(headers: Headers, body: unknown): Conversation;
  callId(serial: number): string;
  writeReply(reply: NumberedReply): object;
  writeError(message: string): object;
}

/** A provider on this machine, whose model follows a script. */
export interface ProviderServer extends AsyncDisposable {
  readonly origin: string;
  /** What the client has sent, request by request. */
  readonly asked: readonly Conversation[];
  /** Why requests were refused. */
  readonly problems: readonly string[];
}

/** Starts a provider; it is shut down when the test is over. */
export function startProvider(wire: Wire, script: Script): ProviderServer {
  const asked: Conversation[] = [];
  const problems: string[] = [];
  const said: Turn[] = [];
  let calls = 0;

  async function answer(request: Request): Promise<object> {
    const { pathname } = new URL(request.url);
    demand(request.method === "POST", "the method must be POST");
    demand(pathname === wire.path, `the path must be ${wire.path}`);
    const conversation = wire.readRequest(
      request.headers,
      await request.json(),
    );
    checkTurns(conversation.turns);
    const kept = conversation.turns.filter(({ by }) => by === "model");
    demand(
      equal(kept, said.slice(0, kept.length)),
      "what the model said has been changed",
    );
    said.splice(kept.length); // A crash makes the client forget the last replies.
    const step = script[asked.length];
    demand(step !== undefined, "the script is over");
    asked.push(conversation);
    const serial = asked.length;
    const { text, calls: inputs = [] } = await step(conversation);
    const reply = {
      text,
      calls: inputs.map((input) => ({ id: wire.callId(++calls), input })),
    };
    said.push({ by: "model", ...reply });
    return wire.writeReply({ serial, model: conversation.model, ...reply });
  }

  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      try {
        return Response.json(await answer(request));
      } catch (error) {
        const message = String(error);
        problems.push(message);
        return Response.json(wire.writeError(message), { status: 400 });
      }
    },
  );
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    asked,
    problems,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
