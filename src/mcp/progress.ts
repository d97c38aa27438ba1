/**
 * A sign of life for calls that wait.
 *
 * @module
 */

import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol";
import type {
  ServerNotification,
  ServerRequest,
} from "@modelcontextprotocol/sdk/types";

/** What a handler is given besides its request. */
type RequestExtra = RequestHandlerExtra<
  ServerRequest,
  ServerNotification
>;

/**
 * Tells a client that asked for progress, every so often until it is disposed of,
 * that its call is still waiting. How long it will take is not known, so there is
 * no total.
 */
export function reportWaiting(
  { _meta, sendNotification }: RequestExtra,
  everyMs: number,
): Disposable {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { [Symbol.dispose]: () => {} };
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const message = "The session has not answered yet, still waiting.";
    sendNotification({
      method: "notifications/progress",
      params: { progressToken, progress, message },
    }).catch(() => clearInterval(timer));
  }, everyMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
