/** A conversation that outlives its process. */
export interface Journal<Message> {
  /** What has been said so far. */
  readonly messages: Message[];
  /** Adds messages that belong together: after a crash all of them are there, or none. */
  add(...messages: readonly Message[]): Promise<void>;
}

/** Opens `<directory>/<name>.jsonl`, which has one JSON array of messages per line. */
export async function openJournal<Message>(
  directory: string,
  name: string,
): Promise<Journal<Message>> {
  const path = `${directory}/${name}.jsonl`;
  await Deno.mkdir(directory, { recursive: true });
  const file = await Deno.open(path, { create: true, read: true, write: true });
  const text = await new Response(file.readable).text();
  // A line without an end was cut off while it was written.
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  await Deno.truncate(path, new TextEncoder().encode(whole).length);

  const lines = whole.split("\n").slice(0, -1);
  const messages = lines.flatMap((line): Message[] => JSON.parse(line));
  return {
    messages,
    async add(...added): Promise<void> {
      const line = `${JSON.stringify(added)}\n`;
      await Deno.writeTextFile(path, line, { append: true });
      messages.push(...added);
    },
  };
}
