/**
 * A plan written as an indented list.
 *
 * @module
 */

/** A step of a plan. */
export interface PlanStep {
  /** What is to be done. */
  readonly content: string;
  /** Whether its box was ticked. */
  readonly done: boolean;
  /** The positions of the steps below it, which have to be done first. */
  readonly after: readonly number[];
}

const TAB_COLUMNS = 4;
const LINE = /^(\s*)(?:[-*+•]\s+|\d+[.)]\s+)?(?:\[([ xX])\]\s+)?(.*\S)/;

/**
 * Reads an indented list. A step comes after the steps that are indented below
 * it, since it is done when they are.
 */
export function parsePlan(text: string): PlanStep[] {
  const steps: PlanStep[] = [];
  const open: {
    indent: number;
    content: string;
    done: boolean;
    after: number[];
  }[] = [];
  const close = (indent: number) => {
    for (
      let last = open.at(-1);
      last && last.indent >= indent;
      last = open.at(-1)
    ) {
      open.pop();
      const { content, done, after } = last;
      open.at(-1)?.after.push(steps.length);
      steps.push({ content, done, after });
    }
  };
  for (const line of text.split("\n")) {
    const match = LINE.exec(line);
    if (match === null) continue;
    const [, space = "", box, content = ""] = match;
    const indent = space.replaceAll("\t", " ".repeat(TAB_COLUMNS)).length;
    close(indent);
    open.push({ indent, content, done: box?.toLowerCase() === "x", after: [] });
  }
  close(0);
  return steps;
}
