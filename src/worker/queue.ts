/**
 * A first-in, first-out queue as an immutable value.
 *
 * @module
 */

type List<T> = { readonly head: T; readonly tail: List<T> } | undefined;

/** A queue; every operation returns another one and takes constant time on average. */
export interface Queue<T> {
  readonly front: List<T>;
  /** What was put in since `front` was made, newest first. */
  readonly back: List<T>;
}

/** The queue with nothing in it. */
export const emptyQueue: Queue<never> = { front: undefined, back: undefined };

/** The queue with one more item at its end. */
export function enqueue<T>(queue: Queue<T>, item: T): Queue<T> {
  return queue.front === undefined
    ? { front: { head: item, tail: undefined }, back: undefined }
    : { front: queue.front, back: { head: item, tail: queue.back } };
}

/** The item that has waited longest, or `undefined` when the queue is empty. */
export function peek<T>(queue: Queue<T>): T | undefined {
  return queue.front?.head;
}

/** The queue without the item that has waited longest. */
export function dequeue<T>(queue: Queue<T>): Queue<T> {
  const rest = queue.front?.tail;
  if (rest !== undefined) return { front: rest, back: queue.back };
  let front: List<T> = undefined;
  for (let at = queue.back; at !== undefined; at = at.tail) {
    front = { head: at.head, tail: front };
  }
  return { front, back: undefined };
}

/** The items, the one that has waited longest first. */
export function* itemsOf<T>(queue: Queue<T>): Iterable<T> {
  let rest = queue;
  for (let item = peek(rest); item !== undefined; item = peek(rest)) {
    yield item;
    rest = dequeue(rest);
  }
}
