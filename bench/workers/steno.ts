import { Writer } from "npm:steno@4.0.2";
import { servePeer } from "../peer.ts";

servePeer((path, document) => {
  const file = new Writer(path);
  return async () => {
    const text = JSON.stringify(document);
    await file.write(text);
    return text;
  };
});
