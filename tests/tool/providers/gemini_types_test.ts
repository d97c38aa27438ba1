// Google's package brings Node's types with it, which stand in the way of
// Deno's when both are checked together. So it is checked by itself.

import { assertEquals } from "@std/assert";

const ENTRY = new URL("../../../src/tool/mod.ts", import.meta.url);

const PROGRAM = `
import type {
  FunctionDeclaration,
  GoogleGenAI,
  Part,
} from "npm:@google/genai@3.3.0";
import type { ToolResult } from "${ENTRY}";
import { geminiTool, toolResultForGemini } from "${ENTRY}";

export async function answer(client: GoogleGenAI, result: ToolResult) {
  const { functionCalls } = await client.models.generateContent({
    model: "any",
    contents: "",
    config: { tools: [{ functionDeclarations: [geminiTool] }] },
  });
  const parts = (functionCalls ?? []).map((call) =>
    toolResultForGemini(call, result)
  );
  await client.models.generateContent({
    model: "any",
    contents: [{ role: "user", parts }],
  });
  const tool: FunctionDeclaration = geminiTool;
  const part: Part = toolResultForGemini({}, result);
  // @ts-expect-error: the types are there, and tell what is wrong
  const wrong: FunctionDeclaration = { ...geminiTool, name: 1 };
  return [tool, part, wrong];
}
`;

Deno.test("Google's SDK takes the tool and its results", async () => {
  const directory = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${directory}/answer.ts`, PROGRAM);
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--no-config", "answer.ts"],
      cwd: directory,
      env: { NO_COLOR: "1" },
      stdout: "null",
      stderr: "piped",
    }).output();
    assertEquals(code, 0, new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
