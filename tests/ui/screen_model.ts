/**
 * What a terminal shows after it was written to. It knows the codes that the
 * screen uses and throws on any other.
 *
 * @module
 */

import stringWidth from "string-width";
import type { Size } from "../../src/ui/size.ts";

interface Buffer {
  rows: string[][];
  row: number;
  column: number;
}

const SEQUENCE =
  // deno-lint-ignore no-control-regex -- escape codes are what it reads
  /\x1b\[(\??)([\d;]*)([A-Za-z])|\x1b\]\d+;[^\x07]*\x07|[\r\n\x08]|[^\x00-\x1f\x7f]+/y;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A terminal's screen. */
export class ScreenModel {
  /** Private modes that are set, such as 1049 for the alternate buffer. */
  readonly modes: Set<string> = new Set(["7", "25"]);
  /** Rows that were scrolled off the top of the main buffer. */
  readonly scrollback: string[] = [];
  #size: Size;
  #main: Buffer;
  #alternate: Buffer | undefined;
  #rest = "";

  constructor(size: Size) {
    this.#size = size;
    this.#main = { rows: blankRows(size), row: 0, column: 0 };
  }

  /** The rows as text, without the blanks at their ends. */
  get lines(): string[] {
    return this.#buffer.rows.map((cells) => cells.join("").trimEnd());
  }

  /** All rows down to the last that is not blank. */
  get text(): string {
    return this.lines.join("\n").trimEnd();
  }

  /** Where the cursor is. */
  get cursor(): { row: number; column: number } {
    const { row, column } = this.#buffer;
    return { row, column };
  }

  /** Gives the window another size, as a terminal without reflow does. */
  resize(size: Size): void {
    this.#size = size;
    for (const buffer of [this.#main, this.#alternate]) {
      if (buffer === undefined) continue;
      const surplus = Math.max(buffer.row - size.rows + 1, 0);
      buffer.rows.splice(0, surplus);
      buffer.row -= surplus;
      buffer.rows = blankRows(size).map((blank, i) =>
        [...buffer.rows[i] ?? [], ...blank].slice(0, size.columns)
      );
      buffer.column = Math.min(buffer.column, size.columns - 1);
    }
  }

  /** Takes what is written to the terminal, which may end in the middle of a code. */
  write(text: string): void {
    const input = this.#rest + text;
    let at = 0;
    while (at < input.length) {
      SEQUENCE.lastIndex = at;
      const match = SEQUENCE.exec(input);
      if (match === null) {
        if (input.length - at > 40) {
          throw new Error(`Unknown code: ${JSON.stringify(input.slice(at))}`);
        }
        break;
      }
      at = SEQUENCE.lastIndex;
      const [found, isPrivate, parameters, command] = match;
      if (command !== undefined) {
        this.#control(isPrivate === "?", parameters ?? "", command);
      } else if (!found.startsWith("\x1b]")) this.#print(found);
    }
    this.#rest = input.slice(at);
  }

  get #buffer(): Buffer {
    return this.#alternate ?? this.#main;
  }

  #print(text: string): void {
    if (text === "\r") this.#buffer.column = 0;
    else if (text === "\n") this.#lineFeed();
    else if (text === "\b") {
      this.#buffer.column = Math.max(this.#buffer.column - 1, 0);
    } else {
      for (const { segment } of graphemes.segment(text)) this.#put(segment);
    }
  }

  #put(grapheme: string): void {
    const { columns } = this.#size;
    const cells = stringWidth(grapheme);
    if (this.#buffer.column + cells > columns) {
      if (!this.modes.has("7")) return;
      this.#buffer.column = 0;
      this.#lineFeed();
    }
    const { row, column } = this.#buffer;
    const cellsOfRow = this.#buffer.rows[row]!;
    if (cells === 0) {
      cellsOfRow[Math.max(column - 1, 0)] += grapheme;
      return;
    }
    cellsOfRow[column] = grapheme;
    for (let i = 1; i < cells; i++) cellsOfRow[column + i] = "";
    this.#buffer.column += cells;
  }

  #lineFeed(): void {
    const buffer = this.#buffer;
    if (buffer.row < this.#size.rows - 1) {
      buffer.row++;
      return;
    }
    const [top] = buffer.rows.splice(0, 1);
    buffer.rows.push(blankRow(this.#size));
    if (buffer === this.#main) this.scrollback.push(top!.join("").trimEnd());
  }

  #control(isPrivate: boolean, parameters: string, command: string): void {
    const buffer = this.#buffer;
    const count = Number(parameters) || 1;
    if (isPrivate) {
      this.#mode(parameters, command);
      return;
    }
    const last = this.#size.columns - 1;
    switch (command) {
      case "A":
        buffer.row = Math.max(buffer.row - count, 0);
        break;
      case "B":
        buffer.row = Math.min(buffer.row + count, this.#size.rows - 1);
        break;
      case "C":
        buffer.column = Math.min(buffer.column + count, last);
        break;
      case "H":
        buffer.row = 0;
        buffer.column = 0;
        break;
      case "J":
        this.#erase(parameters === "2" ? 0 : buffer.row, this.#size.rows);
        break;
      case "K":
        this.#erase(buffer.row, buffer.row + 1);
        break;
      case "m":
        break;
      default:
        throw new Error(`Unknown code: ${parameters}${command}`);
    }
  }

  // The screen clears whole lines, or from the start of one.
  #erase(from: number, to: number): void {
    for (let i = from; i < to; i++) {
      this.#buffer.rows[i] = blankRow(this.#size);
    }
  }

  #mode(mode: string, command: string): void {
    if (command === "h") this.modes.add(mode);
    else this.modes.delete(mode);
    if (mode !== "1049") return;
    this.#alternate = command === "h"
      ? { rows: blankRows(this.#size), row: 0, column: 0 }
      : undefined;
  }
}

function blankRow(size: Size): string[] {
  return new Array(size.columns).fill(" ");
}

function blankRows(size: Size): string[][] {
  return Array.from({ length: size.rows }, () => blankRow(size));
}
