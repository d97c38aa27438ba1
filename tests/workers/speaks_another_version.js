globalThis.postMessage({ type: "ready", protocol: 999 });
