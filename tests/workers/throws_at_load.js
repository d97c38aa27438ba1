throw new Error("thrown at load");
