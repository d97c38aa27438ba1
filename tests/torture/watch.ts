import { Child } from "./child.ts";
import { expect } from "./round.ts";
import { type Scene, SIDECAR } from "./scene.ts";

/** A process that reads the sidecar all the while. */
export class Watch implements AsyncDisposable {
  readonly #said: string[] = [];
  readonly #child: Child;

  /** Starts to read this scene's sidecar. */
  constructor(scene: Scene) {
    this.#child = new Child({
      script: "reader.ts",
      input: scene.at(SIDECAR),
      sessionDir: scene.sessionDir,
      onLine: (line) => this.#said.push(line),
    });
  }

  /** Ends reading; how often another text was read, none of them torn or older than the one before. */
  async end(where: string): Promise<number> {
    await this.#child.finish();
    const reads = this.#said.pop();
    expect(
      this.#said.length === 0,
      `${where}: a reader saw what must not be\n  ${this.#said.join("\n  ")}`,
    );
    return Number(reads?.replace("read ", ""));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.kill();
  }
}
