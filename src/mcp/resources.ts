/**
 * The snapshot, as a resource that can be read and subscribed to.
 *
 * @module
 */

import type { Server } from "@modelcontextprotocol/sdk/server";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { TaskSession } from "../../mod.ts";
import { ProtocolError } from "./protocol_error.ts";

/** Lets the server list and read the snapshot, and tell a subscriber of changes. */
export function serveSnapshot(server: Server, session: TaskSession): void {
  const uri = `tasks://${session.sessionId}/snapshot`;
  const mimeType = "application/json";

  // A subscription lasts as long as its connection.
  let subscriber: Server["transport"];
  const tellSubscriber = () => {
    if (server.transport !== subscriber) return unsubscribe();
    server.sendResourceUpdated({ uri }).catch((error) =>
      server.onerror?.(error)
    );
  };
  const unsubscribe = () => {
    subscriber = undefined;
    session.removeEventListener("tasks_changed", tellSubscriber);
  };
  const subscribe = () => {
    subscriber = server.transport;
    session.addEventListener("tasks_changed", tellSubscriber);
  };

  const requireKnown = (asked: string) => {
    if (asked === uri) return;
    throw new ProtocolError(
      "resourceNotFound",
      `There is no resource ${JSON.stringify(asked)}. Ask for "${uri}".`,
      { uri: asked },
    );
  };

  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [{
      uri,
      name: "snapshot",
      title: `Tasks of session ${session.sessionId}`,
      description:
        "Every task of the session in the order in which it was added, as JSON.",
      mimeType,
    }],
  }));
  // There are none, but clients ask whoever has resources.
  server.setRequestHandler(
    ListResourceTemplatesRequestSchema,
    () => ({ resourceTemplates: [] }),
  );
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
    requireKnown(params.uri);
    const text = JSON.stringify(session.snapshot);
    return { contents: [{ uri, mimeType, text }] };
  });
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    requireKnown(params.uri);
    subscribe();
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    requireKnown(params.uri);
    unsubscribe();
    return {};
  });
}
