import { failWith } from "./_fail.ts";

/** Fails, for code that is not supposed to run. */
export function unreachable(msg?: string): never {
  failWith("Code ran that should be out of reach", msg);
}
