// The least that a durable change can cost: a write and a rename of as many bytes.
const port = globalThis as unknown as Worker;
let path = "";
let text = "";
port.onmessage = async ({ data }) => {
  if (data.type === "open") {
    path = data.path;
    text = await Deno.readTextFile(path);
  } else {
    await Deno.writeTextFile(`${path}.tmp`, text);
    await Deno.rename(`${path}.tmp`, path);
  }
  port.postMessage({});
};
