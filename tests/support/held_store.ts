import { MemoryStore, type Store } from "../../src/store/store.ts";
import { Recorder } from "./recorder.ts";

/** A load that a test answers. */
export interface HeldLoad {
  /** Answers it with this text, or with nothing. */
  answer(text?: string): void;
  fail(error: unknown): void;
}

/** A save that a test answers. */
export interface HeldSave {
  readonly text: string;
  readonly seen: number;
  answer(outcome: "saved" | "moved"): void;
  fail(error: unknown): void;
}

/** A store that answers only when a test says so. */
export class HeldStore implements Store {
  readonly location = "held";
  readonly aside: string[] = [];
  readonly #loads = new Recorder<HeldLoad>();
  readonly #saves = new Recorder<HeldSave>();

  /** How often a save was asked for. */
  get saveCount(): number {
    return this.#saves.items.length;
  }

  /** The load with this number, from 1, as soon as it is asked for. */
  async loadNumber(number: number): Promise<HeldLoad> {
    return (await this.#loads.take(number))[number - 1]!;
  }

  /** The save with this number, from 1, as soon as it is asked for. */
  async saveNumber(number: number): Promise<HeldSave> {
    return (await this.#saves.take(number))[number - 1]!;
  }

  load(): Promise<Uint8Array | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<
      Uint8Array | undefined
    >();
    this.#loads.add({
      answer: (text) =>
        resolve(
          text === undefined ? undefined : new TextEncoder().encode(text),
        ),
      fail: reject,
    });
    return promise;
  }

  save(text: string, seen: number): Promise<"saved" | "moved"> {
    const { promise, resolve, reject } = Promise.withResolvers<
      "saved" | "moved"
    >();
    this.#saves.add({ text, seen, answer: resolve, fail: reject });
    return promise;
  }

  setAside(how: "move" | "copy", now: number): Promise<string | undefined> {
    this.aside.push(how);
    return Promise.resolve(`held.corrupt-${now}`);
  }
}

/** A store in memory that counts its saves, and fails or moves when it is told to. */
export class CountingStore extends MemoryStore {
  /** The texts saved, in order. */
  readonly saved: string[] = [];
  /** Called before every save; may throw, or change what is kept. */
  beforeSave: (text: string) => void = () => {};

  override async save(text: string, seen: number): Promise<"saved" | "moved"> {
    this.beforeSave(text);
    const outcome = await super.save(text, seen);
    if (outcome === "saved") this.saved.push(text);
    return outcome;
  }
}
