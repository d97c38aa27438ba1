import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { parseCall } from "../../src/graph/arguments.ts";
import { ACTIONS, STATUSES } from "../../src/model/vocabulary.ts";
import { strictTasksTool, tasksTool } from "../../src/tool/definition.ts";
import { Tool } from "../support/graph.ts";

/** Every object in a JSON value, itself included, with the path to it. */
function objectsIn(
  value: unknown,
  path = "$",
): [string, Record<string, unknown>][] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    objectsIn(item, `${path}.${key}`)
  );
  return Array.isArray(value) ? inner : [[path, { ...value }], ...inner];
}

const PROPERTIES = Object.entries(tasksTool.inputSchema.properties);
const STRICT = Object.entries(strictTasksTool.inputSchema.properties);

Deno.test("tasksTool is plain JSON", () => {
  for (const tool of [tasksTool, strictTasksTool]) {
    assertEquals(JSON.parse(JSON.stringify(tool)), structuredClone(tool));
    assertEquals(tool.name, "tasks");
    assertMatch(tool.name, /^[A-Za-z0-9_-]{1,64}$/);
  }
});

Deno.test("tasksTool and strictTasksTool hold nothing that providers refuse", () => {
  const refused = [
    "oneOf",
    "anyOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "const",
    "$ref",
    "$defs",
    "definitions",
    "patternProperties",
    "default",
  ];
  for (const tool of [tasksTool, strictTasksTool]) {
    for (const [path, object] of objectsIn(tool.inputSchema)) {
      for (const word of refused) assert(!(word in object), `${path}.${word}`);
      if (object.type === "object") {
        assertEquals(object.additionalProperties, false, path);
      }
    }
    for (const name of Object.keys(tool.inputSchema.properties)) {
      assertMatch(name, /^[A-Za-z0-9_.-]{1,64}$/);
    }
  }
});

Deno.test("the description is no longer than OpenAI takes", () => {
  for (const { description } of [tasksTool, strictTasksTool]) {
    assert(description.length <= 1_024, `${description.length} characters`);
  }
});

Deno.test("tasksTool is one flat object of which only the action is required", () => {
  assertEquals(tasksTool.inputSchema.type, "object");
  assertEquals(tasksTool.inputSchema.required, ["action"]);
  assertEquals(PROPERTIES.map(([name]) => name), [
    "action",
    "id",
    "content",
    "active_form",
    "blockedBy",
    "status",
    "status_filter",
  ]);
  for (const [name, property] of PROPERTIES) {
    assertEquals(typeof property.type, "string", name);
    assertEquals(property.type === "array", property.items !== undefined, name);
    assert(property.description.length > 0, name);
    assert(
      !property.enum?.some((value) => value === "" || value === null),
      name,
    );
  }
});

Deno.test("tasksTool offers the actions and statuses that calls may have", () => {
  const { action, status, status_filter } = tasksTool.inputSchema.properties;
  assertEquals(action?.enum, ACTIONS);
  assertEquals(status?.enum, STATUSES);
  assertEquals(status_filter?.enum, STATUSES);
  for (const name of [...ACTIONS, "blockedBy", "active_form", "snapshot"]) {
    assertStringIncludes(tasksTool.description, name);
  }
});

Deno.test("strictTasksTool requires every argument, and lets all but the action be null", () => {
  assertEquals(
    strictTasksTool.inputSchema.required,
    STRICT.map(([name]) => name),
  );
  assertEquals(STRICT.map(([name]) => name), PROPERTIES.map(([name]) => name));
  for (const [name, property] of STRICT) {
    const isNullable = [property.type].flat().includes("null");
    assertEquals(isNullable, name !== "action", name);
    if (property.enum !== undefined) {
      assertEquals(property.enum.includes(null), name !== "action", name);
    }
  }
});

Deno.test("a strict call, with null for what is not needed, works for every action", () => {
  const unused = Object.fromEntries(STRICT.map(([name]) => [name, null]));
  const tool = new Tool();
  const { id } = tool.change({ ...unused, action: "add", content: "x" });
  tool.change({ ...unused, action: "update", id, status: "in_progress" });
  tool.change({ ...unused, action: "complete", id });
  tool.change({ ...unused, action: "remove", id });
  assertEquals(tool.ids({ ...unused, action: "list" }), [id]);
  assertEquals(tool.ids({ ...unused, action: "blocked" }), []);
});

Deno.test("every argument that tasksTool offers is taken by some action", () => {
  const samples: Record<string, unknown> = {
    id: "t_1",
    content: "x",
    active_form: "x",
    blockedBy: ["t_1"],
    status: "pending",
    status_filter: "pending",
  };
  const { action: _, ...others } = tasksTool.inputSchema.properties;
  assertEquals(Object.keys(others).sort(), Object.keys(samples).sort());
  const taken = [
    parseCall({ ...samples, action: "update", status_filter: null }),
    parseCall({ action: "list", status_filter: "pending" }),
  ].flatMap((call) => Object.entries(call));
  for (const [name, value] of Object.entries(samples)) {
    assert(
      taken.some(([key, kept]) =>
        key === name && JSON.stringify(kept) === JSON.stringify(value)
      ),
      name,
    );
  }
});
