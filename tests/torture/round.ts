import type { Random } from "./random.ts";

/** One kind of rounds. */
export interface Torture {
  /** The name to choose it by. */
  readonly name: string;
  /** What it shows. */
  readonly shows: string;
  /** How many rounds are run when nothing else is asked for. */
  readonly rounds: number;
  /**
   * Runs so many rounds.
   *
   * @returns What was checked, in one line.
   * @throws When something is not as it must be.
   */
  run(rounds: number, random: Random): Promise<string>;
}

/** Thrown when what is promised was not kept. */
export class Broken extends Error {
  override readonly name = "Broken";
}

/** Says what is wrong, if anything is. */
export function expectNone(problems: readonly string[], where: string): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, 5).join("\n  ");
  throw new Broken(`${where}: ${problems.length} problems\n  ${shown}`);
}

/** Says what is wrong unless this is so. */
export function expect(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new Broken(what);
}

/** Resolves to the promise's value; gives up when that takes too long. */
export async function within<T>(
  seconds: number,
  what: string,
  promise: Promise<T>,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Broken(`${what} took more than ${seconds} s`)),
      1_000 * seconds,
    );
  });
  try {
    return await Promise.race([promise, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for so long; for moments that are to be random. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
