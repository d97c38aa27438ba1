import writeFileAtomic from "npm:write-file-atomic@7.0.1";
import { servePeer } from "../peer.ts";

const fsync = new URL(import.meta.url).searchParams.has("fsync");
servePeer((path, document) => async () => {
  const text = JSON.stringify(document);
  await writeFileAtomic(path, text, { fsync });
  return text;
});
