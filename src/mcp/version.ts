/** The version of this package, as `deno.json` has it. */
export const VERSION = "0.1.0";
