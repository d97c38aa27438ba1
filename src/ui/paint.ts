/**
 * Colour: the only escape codes that views put into their lines.
 *
 * @module
 */

const CODES = {
  plain: "",
  strong: "1",
  faint: "2",
  running: "36",
  waiting: "33",
  done: "32",
  gone: "2;9",
} as const;

/** What a piece of text means to the eye. */
export type Style = keyof typeof CODES;

/** Puts a style on a piece of text that has its final width. */
export type Paint = (style: Style, text: string) => string;

/** Styles with SGR codes of the terminal's own palette, or not at all. */
export function paintWith(color: boolean | undefined): Paint {
  return color ? paintSgr : paintNothing;
}

function paintSgr(style: Style, text: string): string {
  const code = CODES[style];
  return code === "" || text === "" ? text : `\x1b[${code}m${text}\x1b[0m`;
}

function paintNothing(_style: Style, text: string): string {
  return text;
}
