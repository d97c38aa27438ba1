import { failWith } from "./_fail.ts";

/** Fails, always. */
export function fail(msg?: string): never {
  failWith("The test was made to fail", msg);
}
