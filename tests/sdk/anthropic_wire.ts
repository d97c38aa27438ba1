// The Messages API, as far as an agent's loop uses it.

import type Anthropic from "npm:@anthropic-ai/sdk@1.14.0";

import {
  type Call,
  type Conversation,
  demand,
  type OfferedTool,
  type Result,
  type Turn,
  WireError,
} from "./conversation.ts";
import { asList, asObject, asText } from "./json.ts";
import type { Wire } from "./provider_server.ts";

const REQUEST = [
  "model",
  "max_tokens",
  "system",
  "tools",
  "messages",
  "stream?",
];
const BLOCKS = {
  text: ["type", "text", "citations?"],
  tool_use: ["type", "id", "name", "input", "caller?"],
  tool_result: ["type", "tool_use_id", "content", "is_error?"],
};

export const ANTHROPIC_WIRE: Wire = {
  path: "/v1/messages",
  readRequest(headers, body): Conversation {
    // Either is taken.
    const key = headers.get("x-api-key") ?? headers.get("authorization");
    asText(key, "the header with the key");
    demand(
      headers.get("anthropic-version") === "2026-10-21",
      "the header anthropic-version must be 2026-10-21",
    );
    const request = asObject(body, REQUEST, "the request");
    demand(request.stream !== true, "this server does not stream");
    demand(
      Number.isInteger(request.max_tokens),
      "max_tokens must be a whole number",
    );
    return {
      model: asText(request.model, "model"),
      instructions: asText(request.system, "system"),
      tools: asList(request.tools, "tools").map(readTool),
      turns: asList(request.messages, "messages").flatMap(readMessage),
    };
  },
  callId: (serial) => `toolu_01Loop${String(serial).padStart(18, "0")}`,
  writeReply({ serial, model, text, calls }): Anthropic.Message {
    const content: Anthropic.ContentBlock[] = [
      { type: "text", text, citations: null },
      ...calls.map(({ id, input }) => ({
        type: "tool_use" as const,
        id,
        name: "tasks",
        input,
        caller: { type: "direct" as const },
      })),
    ];
    return {
      id: `msg_01Loop${String(serial).padStart(18, "0")}`,
      type: "message",
      role: "assistant",
      model,
      content,
      container: null,
      diagnostics: null,
      stop_details: null,
      stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: {
        input_tokens: 1_204,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: {
          ephemeral_5m_input_tokens: 0,
          ephemeral_1h_input_tokens: 0,
        },
        output_tokens: 87,
        output_tokens_details: null,
        inference_geo: null,
        server_tool_use: null,
        service_tier: "standard",
        speed: null,
      },
    };
  },
  writeError: (message) => ({
    type: "error",
    error: { type: "invalid_request_error", message },
    request_id: "req_011Loop",
  }),
};

function readTool(value: unknown): OfferedTool {
  const keys = ["name", "description", "input_schema"];
  const tool = asObject(value, keys, "a tool");
  return {
    name: asText(tool.name, "a tool's name"),
    description: asText(tool.description, "a tool's description"),
    schema: tool.input_schema,
  };
}

/** A message of the user with results is a turn of the tools, and then one of the user. */
function readMessage(value: unknown, at: number): Turn[] {
  const where = `messages.${at}`;
  const { role, content } = asObject(value, ["role", "content"], where);
  if (typeof content === "string") {
    demand(role === "user", `${where}: the model never says a bare string`);
    return [{ by: "user", text: asText(content, where) }];
  }
  const blocks = asList(content, where).map((block) => readBlock(block, where));
  const texts = blocks.filter((block) => typeof block === "string");
  const calls = blocks.filter((block) => isCall(block));
  const results = blocks.filter((block) => isResult(block));
  if (role === "assistant") {
    demand(results.length === 0, `${where}: results are the user's to say`);
    return [{ by: "model", text: texts.join("\n"), calls }];
  }
  demand(role === "user", `${where}: the role must be user or assistant`);
  demand(calls.length === 0, `${where}: calls are the model's to make`);
  demand(
    blocks.slice(0, results.length).every((block) => isResult(block)),
    `${where}: results must come before text`,
  );
  const turns: Turn[] = [];
  if (results.length > 0) turns.push({ by: "tools", results });
  if (texts.length > 0) turns.push({ by: "user", text: texts.join("\n") });
  return turns;
}

type Block = string | Call | Result;

function isCall(block: Block): block is Call {
  return typeof block !== "string" && "input" in block;
}

function isResult(block: Block): block is Result {
  return typeof block !== "string" && "callId" in block;
}

function readBlock(value: unknown, where: string): Block {
  const { type } = { type: undefined, ...Object(value) };
  switch (type) {
    case "text":
      return asText(asObject(value, BLOCKS.text, where).text, where);
    case "tool_use": {
      const { id, name, input } = asObject(value, BLOCKS.tool_use, where);
      demand(name === "tasks", `${where}: no tool ${name}`);
      return { id: asText(id, where), input };
    }
    case "tool_result": {
      const result = asObject(value, BLOCKS.tool_result, where);
      const { tool_use_id, content, is_error: isError = false } = result;
      demand(
        typeof isError === "boolean",
        `${where}: is_error must be boolean`,
      );
      return {
        callId: asText(tool_use_id, where),
        text: asText(content, where),
        isError,
      };
    }
    default:
      throw new WireError(`${where}: no block is a ${type}`);
  }
}
