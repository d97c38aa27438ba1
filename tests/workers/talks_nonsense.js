for (const message of ["hello", 5, [], { type: "greeting" }, null]) {
  globalThis.postMessage(message);
}
