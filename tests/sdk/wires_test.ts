// What the scripted providers refuse. Without this the loops could pass whatever
// they sent.

import { assertEquals, assertThrows } from "@std/assert";

import { tasksTool } from "@kin/tasks-dag";
import { anthropicTool, openaiTool } from "@kin/tasks-dag/tool";
import { ANTHROPIC_WIRE } from "./anthropic_wire.ts";
import { checkTurns, WireError } from "./conversation.ts";
import { OPENAI_WIRE } from "./openai_wire.ts";
import { startProvider } from "./provider_server.ts";

/** Reads a request to Anthropic with these messages. */
function readAnthropic(...messages: readonly unknown[]): void {
  const headers = new Headers({
    "x-api-key": "sk-none",
    "anthropic-version": "2026-10-21",
  });
  const { turns } = ANTHROPIC_WIRE.readRequest(headers, {
    model: "scripted",
    max_tokens: 1_024,
    system: "Plan.",
    tools: [anthropicTool],
    messages,
  });
  checkTurns(turns);
}

/** Reads a request to OpenAI with these messages. */
function readOpenAI(...messages: readonly unknown[]): void {
  const headers = new Headers({ authorization: "Bearer sk-none" });
  const { turns } = OPENAI_WIRE.readRequest(headers, {
    model: "scripted",
    tools: [openaiTool],
    messages: [{ role: "system", content: "Plan." }, ...messages],
  });
  checkTurns(turns);
}

const PROMPT = { role: "user", content: "Plan the release" };
const INPUT = { action: "list" };

const toolUse = (id: string) => ({
  type: "tool_use",
  id,
  name: tasksTool.name,
  input: INPUT,
});
const toolResult = (id: string) => ({
  type: "tool_result",
  tool_use_id: id,
  content: "{}",
});
const toolUses = { role: "assistant", content: [toolUse("a"), toolUse("b")] };
const byUser = (...content: readonly unknown[]) => ({ role: "user", content });

Deno.test("the Anthropic wire takes all results in one message", () => {
  readAnthropic(PROMPT, toolUses, byUser(toolResult("a"), toolResult("b")));
});

Deno.test("the Anthropic wire refuses results in two messages, missing ones and unasked ones", () => {
  for (
    const answers of [
      [byUser(toolResult("a")), byUser(toolResult("b"))],
      [byUser(toolResult("a"))],
      [byUser(toolResult("a"), toolResult("a"))],
      [byUser(toolResult("a"), toolResult("b"), toolResult("c"))],
      [PROMPT],
    ]
  ) {
    assertThrows(
      () => readAnthropic(PROMPT, toolUses, ...answers),
      WireError,
      "must answer",
    );
  }
});

Deno.test("the Anthropic wire refuses text before results, and fields that it does not know", () => {
  const text = { type: "text", text: "Here:" };
  const results = [toolResult("a"), toolResult("b")];
  assertThrows(
    () => readAnthropic(PROMPT, toolUses, byUser(text, ...results)),
    WireError,
    "must come before text",
  );
  const odd = { ...toolResult("b"), isError: false };
  assertThrows(
    () => readAnthropic(PROMPT, toolUses, byUser(toolResult("a"), odd)),
    WireError,
    "must not have isError",
  );
});

const toolCalls = {
  role: "assistant",
  content: "Two things:",
  tool_calls: ["a", "b"].map((id) => ({
    id,
    type: "function",
    function: { name: tasksTool.name, arguments: JSON.stringify(INPUT) },
  })),
};
const byTool = (id: string) => ({
  role: "tool",
  tool_call_id: id,
  content: "{}",
});

Deno.test("the OpenAI wire takes one message per result", () => {
  readOpenAI(PROMPT, toolCalls, byTool("a"), byTool("b"));
});

Deno.test("the OpenAI wire refuses missing results, late ones and unasked ones", () => {
  for (
    const answers of [
      [byTool("a")],
      [byTool("a"), PROMPT, byTool("b")],
      [byTool("a"), byTool("b"), byTool("c")],
      [PROMPT],
    ]
  ) {
    assertThrows(
      () => readOpenAI(PROMPT, toolCalls, ...answers),
      WireError,
      "must answer",
    );
  }
});

Deno.test("no wire takes a call id twice, or a conversation that ends with the model", () => {
  const answers = [byTool("a"), byTool("b")];
  assertThrows(
    () => readOpenAI(PROMPT, toolCalls, ...answers, toolCalls, ...answers),
    WireError,
    "there twice",
  );
  assertThrows(
    () => readOpenAI(PROMPT, { role: "assistant", content: "Done." }),
    WireError,
    "must not be the model's",
  );
});

Deno.test("a provider refuses a conversation in which the model's words were changed", async () => {
  await using provider = startProvider(OPENAI_WIRE, [
    () => ({ text: "Hello." }),
    () => ({ text: "Never said." }),
  ]);
  const post = async (...messages: readonly unknown[]): Promise<number> => {
    const response = await fetch(`${provider.origin}${OPENAI_WIRE.path}`, {
      method: "POST",
      headers: { authorization: "Bearer sk-none" },
      body: JSON.stringify({
        model: "scripted",
        tools: [openaiTool],
        messages: [{ role: "system", content: "Plan." }, ...messages],
      }),
    });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await post(PROMPT), 200);
  const changed = { role: "assistant", content: "Goodbye." };
  assertEquals(await post(PROMPT, changed, PROMPT), 400);
  assertEquals(provider.problems, [
    "WireError: what the model said has been changed",
  ]);
});
