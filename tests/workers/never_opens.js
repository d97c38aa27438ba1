globalThis.postMessage({ type: "ready", protocol: 1 });
