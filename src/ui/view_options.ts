/**
 * What a host may choose for any view.
 *
 * @module
 */

/** How a view is drawn. */
export interface ViewOptions {
  /**
   * Whether lines carry colour, as SGR codes that are reset at the end of each
   * line. Off unless asked for; every view can be read without.
   */
  readonly color?: boolean | undefined;
}
