/** A clock that moves only when something waits by it, or when it is told to. */
export class FakeClock {
  /** Unix milliseconds. */
  time: number;
  /** Every wait so far, in milliseconds. */
  readonly waits: number[] = [];
  /** Told of every wait once it is over. */
  onWait: () => void | Promise<void> = () => {};

  constructor(time = Date.now()) {
    this.time = time;
  }

  readonly now = (): number => this.time;

  readonly sleep = async (milliseconds: number): Promise<void> => {
    this.waits.push(milliseconds);
    this.time += milliseconds;
    await this.onWait();
  };
}
