/**
 * Stand-in for `@std/fs`: the functions the repository uses.
 *
 * The asynchronous ones do their work synchronously before they return, which
 * tests cannot tell and keeps them short.
 *
 * @module
 */
export * from "./ensure_dir.ts";
export * from "./exists.ts";
export * from "./walk.ts";
