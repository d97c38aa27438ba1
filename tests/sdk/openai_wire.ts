// The Chat Completions API, as far as an agent's loop uses it.

import type OpenAI from "npm:openai@7.59.0";

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

const REQUEST = ["model", "messages", "tools", "tool_choice?", "stream?"];
const MESSAGES = {
  system: ["role", "content"],
  user: ["role", "content"],
  assistant: ["role", "content?", "refusal?", "annotations?", "tool_calls?"],
  tool: ["role", "tool_call_id", "content"],
};

export const OPENAI_WIRE: Wire = {
  path: "/v1/chat/completions",
  readRequest(headers, body): Conversation {
    const key = asText(headers.get("authorization"), "the authorization");
    demand(/^Bearer \S+$/.test(key), "the authorization must be a bearer's");
    const request = asObject(body, REQUEST, "the request");
    demand(request.stream !== true, "this server does not stream");
    const [first, ...rest] = asList(request.messages, "messages");
    const system = asObject(first, MESSAGES.system, "messages.0");
    demand(system.role === "system", "the first message must be the system's");
    return {
      model: asText(request.model, "model"),
      instructions: asText(system.content, "messages.0"),
      tools: asList(request.tools, "tools").map(readTool),
      turns: readMessages(rest),
    };
  },
  callId: (serial) => `call_Loop${String(serial).padStart(20, "0")}`,
  writeReply({ serial, model, text, calls }): OpenAI.ChatCompletion {
    return {
      id: `chatcmpl-Loop${String(serial).padStart(25, "0")}`,
      object: "chat.completion",
      created: 1_765_000_000 + serial,
      model,
      choices: [{
        index: 0,
        message: {
          role: "assistant",
          content: text,
          refusal: null,
          annotations: [],
          ...(calls.length > 0 && { tool_calls: calls.map(writeCall) }),
        },
        logprobs: null,
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      }],
      usage: {
        prompt_tokens: 1_204,
        completion_tokens: 87,
        total_tokens: 1_291,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: {
          reasoning_tokens: 0,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
      },
      service_tier: "default",
    };
  },
  writeError: (message) => ({
    error: { message, type: "invalid_request_error", param: null, code: null },
  }),
};

function writeCall(
  { id, input }: Call,
): OpenAI.ChatCompletionMessageFunctionToolCall {
  const name = "tasks";
  return {
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  };
}

function readTool(value: unknown): OfferedTool {
  const tool = asObject(value, ["type", "function"], "a tool");
  demand(tool.type === "function", "a tool's type must be function");
  const keys = ["name", "description", "parameters"];
  const { name, description, parameters } = asObject(
    tool.function,
    keys,
    "a tool's function",
  );
  return {
    name: asText(name, "a tool's name"),
    description: asText(description, "a tool's description"),
    schema: parameters,
  };
}

/** Messages of tools that follow each other are one turn. */
function readMessages(messages: readonly unknown[]): Turn[] {
  const turns: Turn[] = [];
  for (const [at, message] of messages.entries()) {
    const turn = readMessage(message, `messages.${at + 1}`);
    const last = turns.at(-1);
    if (turn.by === "tools" && last?.by === "tools") {
      const results = [...last.results, ...turn.results];
      turns.splice(-1, 1, { by: "tools", results });
    } else {
      turns.push(turn);
    }
  }
  return turns;
}

function readMessage(value: unknown, where: string): Turn {
  const { role } = { role: undefined, ...Object(value) };
  switch (role) {
    case "user": {
      const { content } = asObject(value, MESSAGES.user, where);
      return { by: "user", text: asText(content, where) };
    }
    case "assistant": {
      const message = asObject(value, MESSAGES.assistant, where);
      const calls = message.tool_calls === undefined
        ? []
        : asList(message.tool_calls, where);
      return {
        by: "model",
        text: asText(message.content, where),
        calls: calls.map((call) => readCall(call, where)),
      };
    }
    case "tool": {
      const message = asObject(value, MESSAGES.tool, where);
      const result: Result = {
        callId: asText(message.tool_call_id, where),
        text: asText(message.content, where),
      };
      return { by: "tools", results: [result] };
    }
    default:
      throw new WireError(`${where}: nobody is a ${role}`);
  }
}

function readCall(value: unknown, where: string): Call {
  const call = asObject(value, ["id", "type", "function"], where);
  demand(call.type === "function", `${where}: a call is of a function`);
  const keys = ["name", "arguments"];
  const { name, arguments: json } = asObject(call.function, keys, where);
  demand(name === "tasks", `${where}: no tool ${name}`);
  return {
    id: asText(call.id, where),
    input: JSON.parse(asText(json, where)),
  };
}
