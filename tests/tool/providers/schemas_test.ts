import { Ajv } from "npm:ajv@8.20.0";
import { Ajv2020 } from "npm:ajv@8.20.0/dist/2020.js";
import { assert, assertEquals } from "@std/assert";
import {
  anthropicStrictTool,
  anthropicTool,
  geminiTool,
  mcpTool,
  openaiResponsesTool,
  openaiStrictResponsesTool,
  openaiStrictTool,
  openaiTool,
} from "@kin/tasks-dag/tool";
import { strictTasksTool, tasksTool } from "@kin/tasks-dag";
import { openHere } from "../../support/sessions.ts";
import { callsIn, readPages } from "./example_calls.ts";

const ID = "t_1720600000000_a1b2";

const PLAIN = {
  anthropicTool: anthropicTool.input_schema,
  anthropicStrictTool: anthropicStrictTool.input_schema,
  openaiTool: openaiTool.function.parameters,
  openaiResponsesTool: openaiResponsesTool.parameters,
  geminiTool: geminiTool.parametersJsonSchema,
  mcpTool: mcpTool.inputSchema,
};
const STRICT = {
  openaiStrictTool: openaiStrictTool.function.parameters,
  openaiStrictResponsesTool: openaiStrictResponsesTool.parameters,
};

/** One call per action, with everything that it takes. */
const CALLS = [
  { action: "add", content: "x", blockedBy: [ID], active_form: "x" },
  {
    action: "update",
    id: ID,
    content: "x",
    status: "in_progress",
    blockedBy: [],
    active_form: "x",
  },
  { action: "complete", id: ID },
  { action: "remove", id: ID },
  { action: "list", status_filter: "pending" },
  { action: "blocked" },
];

const WRONG_VALUES: readonly unknown[] = [5, true, { a: "x" }, [5]];

/** Calls whose shape is wrong, whatever the graph holds. */
const MISSHAPEN: readonly unknown[] = [
  {},
  { content: "x" },
  { id: ID, status: "completed" },
  { action: 1 },
  { action: ["add"], content: "x" },
  { action: "delete", id: ID },
  { action: "add", content: "x", priority: "high" },
  { action: "complete", id: ID, note: "x" },
  { action: "blocked", limit: 5 },
  { action: "add", content: "x", blocks: [ID] },
  { action: "update", id: ID, status: "waiting" },
  { action: "list", status_filter: "all" },
  [],
  [{ action: "list" }],
  "list",
  5,
  null,
  ...CALLS.flatMap((call) =>
    Object.keys(call).flatMap((key) =>
      WRONG_VALUES.map((value) => ({ ...call, [key]: value }))
    )
  ),
];

type Validate = (value: unknown) => boolean;

/** Compiles a schema strictly, in the drafts that providers go by. */
function compile(schema: object): Validate {
  const draft7 = new Ajv({ strict: true }).compile(schema);
  const draft2020 = new Ajv2020({ strict: true }).compile(schema);
  return (value) => {
    assertEquals(draft7(value), draft2020(value));
    return draft7(value);
  };
}

function compileAll(schemas: Record<string, object>): [string, Validate][] {
  return Object.entries(schemas).map(([name, schema]) => [
    name,
    compile(schema),
  ]);
}

const NOTHING = Object.fromEntries(
  Object.keys(strictTasksTool.inputSchema.properties).map((key) => [key, null]),
);

/** A call as strict mode has it, or what cannot be one as it is. */
function filled(call: unknown): unknown {
  return typeof call === "object" && call !== null && !Array.isArray(call)
    ? { ...NOTHING, ...call }
    : call;
}

Deno.test("a validator in strict mode takes every schema", () => {
  for (const schema of Object.values({ ...PLAIN, ...STRICT })) compile(schema);
  compile(mcpTool.outputSchema);
});

Deno.test("a call of each action is valid", () => {
  for (const [name, isValid] of compileAll(PLAIN)) {
    for (const call of CALLS) assert(isValid(call), `${name} ${call.action}`);
  }
});

Deno.test("a call of each action, with null for what it does not need, is valid in strict mode", () => {
  for (const [name, isValid] of compileAll(STRICT)) {
    for (const call of CALLS) {
      assert(isValid(filled(call)), `${name} ${call.action}`);
    }
  }
});

Deno.test("in strict mode no argument may be left out, and the action not be null", () => {
  for (const [name, isValid] of compileAll(STRICT)) {
    const call = Object.entries({ ...NOTHING, action: "list" });
    assert(isValid(Object.fromEntries(call)), name);
    for (const [key] of call) {
      const others = call.filter(([other]) => other !== key);
      assert(!isValid(Object.fromEntries(others)), `${name} ${key}`);
    }
    assert(!isValid(NOTHING), name);
  }
});

Deno.test("every example call of the readme and the pages is valid", async () => {
  const plain = compileAll(PLAIN);
  const strict = compileAll(STRICT);
  const pages = await readPages();
  const calls = [...pages].flatMap(([page, text]) => callsIn(page, text));
  const places = new Set(calls.map(({ page }) => page));
  assert(places.has("README.md") && places.has("docs/tools.md"));
  for (const { page, call } of calls) {
    const told = `${JSON.stringify(call)} in ${page}`;
    for (const [name, isValid] of strict) {
      assert(isValid(filled(call)), `${name} ${told}`);
    }
    if (Object.values(call).includes(null)) continue; // as only strict mode has it
    for (const [name, isValid] of plain) {
      assert(isValid(call), `${name} ${told}`);
    }
  }
});

Deno.test("every call whose shape is refused is invalid", async () => {
  await using opened = await openHere();
  const plain = compileAll(PLAIN);
  const strict = compileAll(STRICT);
  for (const call of MISSHAPEN) {
    const told = JSON.stringify(call);
    const { result } = await opened.session.handleToolCall(call);
    assert("error" in result, told);
    assertEquals(result.error.code, "invalid_arguments", told);
    for (const [name, isValid] of plain) {
      assert(!isValid(call), `${name} ${told}`);
    }
    for (const [name, isValid] of strict) {
      assert(!isValid(filled(call)), `${name} ${told}`);
    }
  }
});

Deno.test("a text that is too long is refused, and invalid where the provider takes a length", async () => {
  await using opened = await openHere();
  const call = { action: "add", content: "x".repeat(16_385) };
  assert((await opened.session.handleToolCall(call)).isError);
  const { anthropicStrictTool, geminiTool, ...others } = PLAIN;
  for (const [name, isValid] of compileAll(others)) {
    assert(!isValid(call), name);
  }
  assert(compile(anthropicStrictTool)(call));
  assert(compile(geminiTool)(call));
});

Deno.test("Gemini's declaration and Anthropic's strict tool hold no more than those take", () => {
  const taken = [
    "type",
    "description",
    "enum",
    "items",
    "properties",
    "additionalProperties",
    "required",
  ];
  const schemas = [
    geminiTool.parametersJsonSchema,
    anthropicStrictTool.input_schema,
  ];
  for (const { properties, ...schema } of schemas) {
    for (const part of [schema, ...Object.values(properties)]) {
      const others = Object.keys(part).filter((key) => !taken.includes(key));
      assertEquals(others, []);
    }
  }
});

Deno.test("every form has the one name, description and arguments", () => {
  const forms = [
    anthropicTool,
    anthropicStrictTool,
    openaiTool.function,
    openaiStrictTool.function,
    openaiResponsesTool,
    openaiStrictResponsesTool,
    geminiTool,
    mcpTool,
  ];
  for (const { name, description } of forms) {
    assertEquals([name, description], [tasksTool.name, tasksTool.description]);
  }
  const { anthropicStrictTool: strict, geminiTool: gemini, ...whole } = PLAIN;
  for (const schema of Object.values(whole)) {
    assertEquals({ ...schema }, { ...tasksTool.inputSchema });
  }
  for (const { properties } of [strict, gemini]) {
    assertEquals(
      Object.keys(properties),
      Object.keys(tasksTool.inputSchema.properties),
    );
  }
  for (const schema of Object.values(STRICT)) {
    assertEquals({ ...schema }, { ...strictTasksTool.inputSchema });
  }
});

Deno.test("what a host does to one form changes no other", () => {
  const { required } = structuredClone(openaiTool.function.parameters);
  openaiTool.function.parameters.required.push("id");
  try {
    assertEquals(tasksTool.inputSchema.required, required);
    assertEquals(openaiResponsesTool.parameters.required, required);
    assertEquals(mcpTool.inputSchema.required, required);
  } finally {
    openaiTool.function.parameters.required.pop();
  }
});
