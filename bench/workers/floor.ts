// The least that a durable change can cost: a write and a rename of as many bytes.
const port = globalThis as unknown as Worker;
const isReady = new URL(import.meta.url).searchParams.has("bytes");
let path = "";
let text = "";
let bytes = new Uint8Array();
port.onmessage = async ({ data }) => {
  if (data.type === "open") {
    path = data.path;
    text = await Deno.readTextFile(path);
    bytes = new TextEncoder().encode(text);
  } else {
    await (isReady
      ? Deno.writeFile(`${path}.tmp`, bytes)
      : Deno.writeTextFile(`${path}.tmp`, text));
    await Deno.rename(`${path}.tmp`, path);
  }
  port.postMessage({});
};
