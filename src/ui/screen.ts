/**
 * The one place that writes to a terminal.
 *
 * @module
 */

import stringWidth from "string-width";
import {
  BEGIN_UPDATE,
  CLEAR_ALL,
  DISABLE_PASTE_MARKERS,
  DISABLE_WRAPPING,
  ENABLE_PASTE_MARKERS,
  ENABLE_WRAPPING,
  END_UPDATE,
  ENTER_ALTERNATE_BUFFER,
  LEAVE_ALTERNATE_BUFFER,
  RESET_STYLE,
  SHOW_CURSOR,
} from "./escape_codes.ts";
import type { Key } from "./key.ts";
import { createKeyDecoder, type KeyDecoder } from "./key_decoder.ts";
import {
  EMPTY_REGION,
  type RegionContent,
  regionRemoval,
  regionUpdate,
} from "./region.ts";
import type { Size } from "./size.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import type { ViewOptions } from "./view_options.ts";

const FRAME_INTERVAL_MS = 16;
const REMEMBERED_LINES = 500;

/** What is on screen at one moment. */
export interface Frame {
  /** The lines, each no wider than the window; those that do not fit are cut off at the top. */
  readonly lines: readonly string[];
  /** Where the cursor stands, counted from 0; hidden when absent. */
  readonly cursor?:
    | { readonly row: number; readonly column: number }
    | undefined;
  /**
   * Whether the lines take the whole window, in the terminal's alternate
   * buffer, rather than a region below what was printed.
   */
  readonly fullScreen?: boolean | undefined;
}

/** How {@linkcode openScreen} works. */
export interface ScreenOptions {
  /**
   * Draws the frame for a window of this size, from whatever is newest. The
   * options are those that views take.
   */
  readonly render: (size: Size, options: ViewOptions) => Frame;
  /** Takes a key press. */
  readonly onKey?: ((key: Key) => void) | undefined;
  /**
   * Takes the signal that asks the process to end, when the terminal was
   * restored already. Without it the process exits.
   */
  readonly onSignal?: ((signal: Deno.Signal) => void) | undefined;
  /** Where to draw; the terminal of the process unless given. */
  readonly terminal?: Terminal | undefined;
  /** The least time from one frame to the next, in milliseconds; 16 unless given. */
  readonly frameIntervalMs?: number | undefined;
}

/** A terminal that is drawn on. Close it, and the terminal is as it was. */
export interface Screen extends Disposable {
  /** Whether lines may carry colour. */
  readonly color: boolean;
  /** The size of the window. */
  readonly size: Size;
  /**
   * Asks for a new frame. However often it is called, frames do not queue up:
   * the next one shows what is newest then.
   */
  refresh(): void;
  /**
   * Prints lines for good, above the region. While a frame takes the whole
   * window they wait.
   */
  print(lines: readonly string[]): void;
  /** Removes the region and restores the terminal. Does nothing the second time. */
  close(): void;
}

/**
 * Starts to draw on a terminal, and draws the first frame.
 *
 * Frames are written in one piece, as a synchronised update of the lines that
 * changed; an unchanged frame writes nothing. The terminal is restored when
 * the screen is closed, when `render` throws, when the process ends or fails,
 * and when it gets a signal.
 *
 * It is meant for terminals only: see `Deno.stdout.isTerminal()`.
 *
 * @example Keep a panel on screen
 * ```ts
 * import { openScreen, renderPinnedPanel } from "@kin/tasks-dag/ui";
 * import { assert } from "@std/assert";
 *
 * const snapshot = {
 *   tasks: [{ id: "t_1", content: "Build", status: "in_progress" as const }],
 * };
 * let written = "";
 * {
 *   using screen = openScreen({
 *     render: (size, options) => ({ lines: renderPinnedPanel(snapshot, size, options) }),
 *     // The terminal of the process, unless there is another.
 *     terminal: {
 *       color: false,
 *       size: () => ({ columns: 80, rows: 24 }),
 *       write: (text) => written += text,
 *       listen: () => () => {},
 *     },
 *   });
 *   screen.refresh();
 * }
 * assert(written.includes("◐ Build"));
 * ```
 */
export function openScreen(options: ScreenOptions): Screen {
  return new TerminalScreen(options);
}

class TerminalScreen implements Screen {
  readonly color: boolean;
  readonly #options: ScreenOptions;
  readonly #terminal: Terminal;
  readonly #keys: KeyDecoder;
  readonly #restore: () => void;
  readonly #printed: string[] = [];
  #unprinted: string[] = [];
  #region: RegionContent = EMPTY_REGION;
  #alternate: RegionContent | undefined;
  #regionSize: Size;
  #alternateSize: Size;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #drawnAt = -Infinity;
  #isClosed = false;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#terminal = options.terminal ?? processTerminal();
    this.color = this.#terminal.color;
    this.#regionSize = this.#alternateSize = this.size;
    this.#keys = createKeyDecoder((key) => {
      if (!this.#isClosed) options.onKey?.(key);
    });
    this.#restore = this.#terminal.listen({
      onInput: (bytes) => this.#keys.write(bytes),
      onResize: () => this.refresh(),
      onSignal: (signal) => {
        this.close();
        options.onSignal?.(signal);
        return options.onSignal !== undefined;
      },
      onExit: () => this.close(),
    });
    this.#terminal.write(ENABLE_PASTE_MARKERS);
    this.#draw();
  }

  get size(): Size {
    return this.#terminal.size();
  }

  refresh(): void {
    if (this.#isClosed || this.#timer !== undefined) return;
    const interval = this.#options.frameIntervalMs ?? FRAME_INTERVAL_MS;
    const due = this.#drawnAt + interval - performance.now();
    this.#timer = setTimeout(() => this.#draw(), Math.max(due, 0));
  }

  print(lines: readonly string[]): void {
    this.#unprinted.push(...lines);
    this.refresh();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#keys[Symbol.dispose]();
    try {
      this.#terminal.write(
        this.#leaveAlternate() + regionRemoval(this.#region) +
          this.#unprinted.map((line) => `${line}\r\n`).join("") +
          RESET_STYLE + SHOW_CURSOR + DISABLE_PASTE_MARKERS,
      );
    } catch {
      // The terminal is gone, and with it what was to be restored.
    }
    this.#restore();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #draw(): void {
    this.#timer = undefined;
    try {
      const { size } = this;
      const frame = this.#options.render(size, { color: this.color });
      const update = frame.fullScreen
        ? this.#updateAlternate(frame, size)
        : this.#updateRegion(frame, size);
      if (update !== "") {
        this.#terminal.write(
          BEGIN_UPDATE + DISABLE_WRAPPING + update + ENABLE_WRAPPING +
            END_UPDATE,
        );
      }
      this.#drawnAt = performance.now();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #updateAlternate(frame: Frame, size: Size): string {
    let output = "";
    if (this.#alternate === undefined) {
      output += ENTER_ALTERNATE_BUFFER + CLEAR_ALL;
      this.#alternate = EMPTY_REGION;
    } else if (!sameSize(size, this.#alternateSize)) {
      output += CLEAR_ALL;
      this.#alternate = EMPTY_REGION;
    }
    const content = clip(frame, size);
    output += regionUpdate(this.#alternate, content);
    this.#alternate = content;
    this.#alternateSize = size;
    return output;
  }

  #updateRegion(frame: Frame, size: Size): string {
    const content = clip(frame, size);
    const left = this.#leaveAlternate();
    let output = left;
    let before = this.#region;
    const lines = this.#unprinted;
    this.#unprinted = [];
    this.#printed.push(...lines);
    this.#printed.splice(0, this.#printed.length - REMEMBERED_LINES);
    if (!sameSize(size, this.#regionSize)) {
      // Nobody knows where the old lines went: draw the window anew.
      const room = size.rows - content.lines.length;
      output += CLEAR_ALL + printed(this.#lastPrinted(room, size.columns));
      before = EMPTY_REGION;
    } else if (lines.length > 0) {
      output += regionRemoval(before) + printed(lines);
      before = EMPTY_REGION;
    }
    output += regionUpdate(before, content);
    if (left !== "" && content.cursor !== undefined) output += SHOW_CURSOR;
    this.#region = content;
    this.#regionSize = size;
    return output;
  }

  #leaveAlternate(): string {
    if (this.#alternate === undefined) return "";
    this.#alternate = undefined;
    return LEAVE_ALTERNATE_BUFFER;
  }

  #lastPrinted(rows: number, columns: number): readonly string[] {
    let left = rows;
    let first = this.#printed.length;
    for (; first > 0; first--) {
      const cells = stringWidth(this.#printed[first - 1]!);
      left -= Math.max(Math.ceil(cells / columns), 1);
      if (left < 0) break;
    }
    return this.#printed.slice(first);
  }
}

function printed(lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const text = lines.map((line) => `${line}\r\n`).join("");
  return ENABLE_WRAPPING + text + DISABLE_WRAPPING;
}

function clip(frame: Frame, size: Size): RegionContent {
  const hidden = Math.max(frame.lines.length - size.rows, 0);
  const lines = frame.lines.slice(hidden);
  const { cursor } = frame;
  if (cursor === undefined) return { lines };
  const row = Math.max(cursor.row - hidden, 0);
  return { lines, cursor: { row, column: cursor.column } };
}

function sameSize(a: Size, b: Size): boolean {
  return a.columns === b.columns && a.rows === b.rows;
}
