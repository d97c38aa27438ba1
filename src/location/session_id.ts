/**
 * Which session ids are allowed.
 *
 * @module
 */

import { TasksError } from "../model/errors.ts";
import { quote } from "../model/text.ts";

const MAX_LENGTH = 100;
const DEVICE_NAME = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/**
 * Returns the id when it can be the stem of a file name on every system: 1 to
 * 100 characters out of `A-Z a-z 0-9 . _ -`, no dot at either end, and no name
 * of a Windows device.
 *
 * @throws {TasksError} `invalid_arguments` otherwise.
 */
export function checkSessionId(id: unknown): string {
  if (typeof id !== "string") {
    throw new TasksError(
      "invalid_arguments",
      "The session id must be a string.",
    );
  }
  const isNameable = id.length <= MAX_LENGTH && /^[A-Za-z0-9._-]+$/.test(id) &&
    !id.startsWith(".") && !id.endsWith(".") && !DEVICE_NAME.test(id);
  if (!isNameable) {
    throw new TasksError(
      "invalid_arguments",
      `Not every system can name a file after the session id ${quote(id)}. ` +
        `Use 1 to ${MAX_LENGTH} letters, digits, dots, underscores and ` +
        "hyphens, with no dot at either end, and no device name such as CON.",
    );
  }
  return id;
}
