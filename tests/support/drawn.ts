/**
 * What a renderer has understood of a picture.
 *
 * @module
 */

/** A box that was drawn. */
export interface DrawnBox {
  readonly name: string;
  readonly classes: readonly string[];
  readonly lines: readonly string[];
}

/** An arrow that was drawn. */
export interface DrawnArrow {
  readonly from: string;
  readonly to: string;
  readonly isDashed: boolean;
}

/** Everything that was drawn, but for where it stands. */
export interface Drawn {
  readonly boxes: readonly DrawnBox[];
  readonly arrows: readonly DrawnArrow[];
}

/** The same, in an order that does not depend on who drew it. */
export function sorted({ boxes, arrows }: Drawn): Drawn {
  const byText = <T>(key: (item: T) => string) => (a: T, b: T): number =>
    key(a) < key(b) ? -1 : 1;
  return {
    boxes: boxes.toSorted(byText((box) => box.name)),
    arrows: arrows.toSorted(byText(({ from, to }) => `${from} ${to}`)),
  };
}
