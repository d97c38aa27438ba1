// Shows a frame and, on a key press, ends in the way that its argument names.

import { openScreen } from "@kin/tasks-dag/ui";

const [way] = Deno.args;
let fails = false;
const screen = openScreen({
  render: () => {
    if (fails) throw new Error("render failed");
    return { lines: ["shown"], fullScreen: true };
  },
  onKey: () => {
    switch (way) {
      case "render":
        fails = true;
        return screen.refresh();
      case "throw":
        throw new Error("throw failed");
      case "reject":
        Promise.reject(new Error("reject failed"));
        return;
      case "exit":
        Deno.exit(3);
        break;
      case "close":
        return screen.close();
    }
  },
});
