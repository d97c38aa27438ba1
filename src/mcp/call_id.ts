/**
 * By which a client says that a call is the same as one before.
 *
 * @module
 */

import { ProtocolError } from "./protocol_error.ts";

/** The key in a request's `_meta`. */
export const CALL_ID = "tasks-dag/callId";

/**
 * The id that the client gave the call. The id of the request is none: a client
 * counts anew with every connection, so that another call would have it next time.
 */
export function callIdOf(
  meta: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const callId = meta?.[CALL_ID];
  if (callId === undefined || typeof callId === "string") return callId;
  throw new ProtocolError(
    "invalidParams",
    `"_meta" has a "${CALL_ID}" that is no string.`,
  );
}
