// A worker that does nothing but answer.
const port = globalThis as unknown as Worker;
port.onmessage = ({ data }) => port.postMessage(data);
port.postMessage("ready");
