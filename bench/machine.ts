/**
 * What a bench ran on.
 *
 * @module
 */

/** The machine and the runtime. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly os: string;
  readonly deno: string;
  readonly date: string;
}

/** Describes this machine. */
export async function describeMachine(): Promise<Machine> {
  return {
    cpu: await readCpuModel() ?? Deno.build.arch,
    cores: navigator.hardwareConcurrency,
    memoryGib: Math.round(Deno.systemMemoryInfo().total / 2 ** 30),
    os: `${Deno.build.os} ${Deno.osRelease()}`,
    deno: Deno.version.deno,
    date: new Date().toISOString().slice(0, 10),
  };
}

/** The machine in one line. */
export function machineLine(machine: Machine): string {
  const { cpu, cores, memoryGib, os, deno, date } = machine;
  return `${cpu}, ${cores} cores, ${memoryGib} GiB, ${os}, Deno ${deno}, ${date}`;
}

async function readCpuModel(): Promise<string | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  const text = await Deno.readTextFile("/proc/cpuinfo");
  const model = /^model name\s*: (.*\S)/m.exec(text)?.[1];
  return model === "unknown" ? undefined : model;
}

/**
 * Begins to watch; what it returns tells which share (0 to 1) of the processors
 * other processes have used since, or `undefined` where that cannot be known.
 */
export async function watchOthers(): Promise<
  () => Promise<number | undefined>
> {
  const before = await readTicks();
  return async () => {
    const after = await readTicks();
    if (before === undefined || after === undefined) return undefined;
    const own = after.own - before.own;
    const busy = after.busy - before.busy;
    return Math.max(0, busy - own) / (after.all - before.all);
  };
}

/** Clock ticks since the start: of this process and its children, of all, and idle ones too. */
async function readTicks(): Promise<
  { own: number; busy: number; all: number } | undefined
> {
  if (Deno.build.os !== "linux") return undefined;
  const self = await Deno.readTextFile("/proc/self/stat");
  const fields = self.slice(self.lastIndexOf(")") + 2).split(" ").map(Number);
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks);
  const [line] = (await Deno.readTextFile("/proc/stat")).split("\n");
  const ticks = line!.split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, each) => sum + each);
  // The fourth and the fifth count what was idle or waited for a disk.
  return { own, busy: all - ticks[3]! - ticks[4]!, all };
}
