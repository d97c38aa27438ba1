Promise.reject(new Error("rejected at load"));
