/**
 * A key that was pressed, as the views' reducers take it.
 *
 * @module
 */

/** A key press; what `node:readline` emits as a `keypress` has this shape. */
export interface Key {
  /** The key's name, such as `up`, `return`, `escape` or `o`; a paste is called `paste`. */
  readonly name?: string | undefined;
  /** The text that the key stands for or, of a paste, what was pasted. */
  readonly sequence?: string | undefined;
  /** Whether Control was held. */
  readonly ctrl?: boolean | undefined;
  /** Whether Alt was held. */
  readonly meta?: boolean | undefined;
}
