import { Low } from "npm:lowdb@7.0.1";
import { DataFile } from "npm:lowdb@7.0.1/node";
import { type PeerDocument, servePeer } from "../peer.ts";

servePeer((path, document) => {
  let text = "";
  // Its `JSONFile` would indent the file, and leave us without the text.
  const adapter = new DataFile<PeerDocument>(path, {
    parse: JSON.parse,
    stringify: (data) => text = JSON.stringify(data),
  });
  const db = new Low<PeerDocument>(adapter, document);
  return async () => {
    await db.write();
    return text;
  };
});
