// A worker that listens, and never says a word.
globalThis.addEventListener("message", () => {});
