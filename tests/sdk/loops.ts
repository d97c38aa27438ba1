import { ANTHROPIC_WIRE } from "./anthropic_wire.ts";
import { OPENAI_WIRE } from "./openai_wire.ts";
import type { ProviderServer, Wire } from "./provider_server.ts";
import { type ChildOptions, permissionsFor } from "../support/child.ts";

/** One of the examples that talk to a provider. */
export interface Loop {
  readonly name: string;
  readonly script: string;
  readonly wire: Wire;
  /** Whether the wire says of a result that it is a refusal. */
  readonly marksErrors: boolean;
  /** Whether a message of the model is kept before its calls are answered. */
  readonly keepsCalls: boolean;
  readonly permissions: readonly string[];
  env(origin: string): Record<string, string>;
}

const openAIEnv = (origin: string) => ({
  OPENAI_API_KEY: "sk-none",
  OPENAI_BASE_URL: `${origin}/v1`,
  OPENAI_MODEL: "scripted",
});

export const LOOPS: readonly Loop[] = [
  {
    name: "the Anthropic loop",
    script: "anthropic_loop.ts",
    wire: ANTHROPIC_WIRE,
    marksErrors: true,
    keepsCalls: true,
    permissions: ["--allow-env=ANTHROPIC_*"],
    env: (origin) => ({
      ANTHROPIC_API_KEY: "sk-none",
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_MODEL: "scripted",
    }),
  },
  {
    name: "the OpenAI loop",
    script: "openai_loop.ts",
    wire: OPENAI_WIRE,
    marksErrors: false,
    keepsCalls: true,
    permissions: ["--allow-env=OPENAI_*"],
    env: openAIEnv,
  },
  {
    name: "the Vercel loop",
    script: "vercel_loop.ts",
    wire: OPENAI_WIRE,
    marksErrors: false,
    keepsCalls: false,
    permissions: ["--allow-env=OPENAI_*", "--allow-sys=hostname"],
    env: openAIEnv,
  },
];

/** One run of a loop against a provider, with what it may do and no more. */
export function runOf(
  loop: Loop,
  provider: ProviderServer,
  args: readonly [directory: string, prompt?: string],
): ChildOptions {
  return {
    script: `../../examples/${loop.script}`,
    args: args.filter((arg) => arg !== undefined),
    permissions: [
      ...permissionsFor(args[0]),
      `--allow-net=${new URL(provider.origin).host}`,
      ...loop.permissions,
    ],
    env: { ...loop.env(provider.origin), NO_PROXY: "127.0.0.1" },
  };
}
