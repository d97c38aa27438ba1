import "../../worker.ts";
