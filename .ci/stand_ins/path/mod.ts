/**
 * Stand-in for `@std/path`: the functions the repository uses, on `node:path`.
 *
 * They agree with the real ones on POSIX systems; on Windows, `node:path` and
 * `node:url` have the last word.
 *
 * @module
 */
export * from "./basename.ts";
export * from "./dirname.ts";
export * from "./from_file_url.ts";
export * from "./is_absolute.ts";
export * from "./join.ts";
export * from "./relative.ts";
export * from "./resolve.ts";
export * from "./to_file_url.ts";
