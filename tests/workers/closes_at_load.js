globalThis.close();
