import type { Task } from "../../mod.ts";
import type { Change } from "./row.ts";

/**
 * What a host says about itself, in the order in which it happens: what it is
 * about to call, before it does, and what was answered, before it goes on.
 */
export type Report =
  | { readonly kind: "opened"; readonly warnings: readonly string[] }
  | {
    readonly kind: "sent";
    readonly n: number;
    readonly call: Change;
    readonly callId?: string | undefined;
  }
  | { readonly kind: "answered"; readonly n: number; readonly task: Task }
  | {
    readonly kind: "refused";
    readonly n: number;
    readonly code: string;
    readonly message: string;
  };

/** Takes reports. */
export type Reporter = (report: Report) => void;

const encoder = new TextEncoder();

/** Hands a report to the process that started this one; it is out when this returns. */
export function reportToParent(report: Report): void {
  let rest = encoder.encode(JSON.stringify(report) + "\n");
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}
