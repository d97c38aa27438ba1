import { assertEquals } from "@std/assert";
import {
  dequeue,
  emptyQueue,
  enqueue,
  itemsOf,
  peek,
  type Queue,
} from "../../src/worker/queue.ts";

function drain<T>(queue: Queue<T>): T[] {
  const items: T[] = [];
  for (
    let item = peek(queue);
    item !== undefined;
    item = peek(queue)
  ) {
    items.push(item);
    queue = dequeue(queue);
  }
  return items;
}

Deno.test("peek() and dequeue() take an empty queue", () => {
  assertEquals(peek(emptyQueue), undefined);
  assertEquals(drain(dequeue(emptyQueue)), []);
});

Deno.test("dequeue() takes items out in the order in which they came", () => {
  const queue = enqueue(enqueue(enqueue<string>(emptyQueue, "a"), "b"), "c");
  assertEquals(drain(queue), ["a", "b", "c"]);
});

Deno.test("dequeue() keeps the order when items come in between", () => {
  let queue: Queue<number> = emptyQueue;
  const taken: (number | undefined)[] = [];
  for (let i = 0; i < 30; i += 3) {
    queue = enqueue(enqueue(enqueue(queue, i), i + 1), i + 2);
    taken.push(peek(queue));
    queue = dequeue(queue);
  }
  assertEquals(
    [...taken, ...drain(queue)],
    Array.from({ length: 30 }, (_, i) => i),
  );
});

Deno.test("enqueue() and dequeue() leave the queue they are given as it was", () => {
  const two = enqueue(enqueue<string>(emptyQueue, "a"), "b");
  const left = enqueue(two, "left");
  const right = enqueue(dequeue(two), "right");
  assertEquals(drain(two), ["a", "b"]);
  assertEquals(drain(left), ["a", "b", "left"]);
  assertEquals(drain(right), ["b", "right"]);
});

Deno.test("dequeue() takes a hundred thousand items", () => {
  let queue: Queue<number> = emptyQueue;
  for (let i = 0; i < 100_000; i++) queue = enqueue(queue, i);
  assertEquals(drain(queue).at(-1), 99_999);
});

Deno.test("itemsOf() goes through the items in order and takes none away", () => {
  let queue: Queue<number> = emptyQueue;
  assertEquals([...itemsOf(queue)], []);
  for (let i = 0; i < 5; i++) queue = enqueue(queue, i);
  queue = enqueue(dequeue(queue), 5);
  assertEquals([...itemsOf(queue)], [1, 2, 3, 4, 5]);
  assertEquals(drain(queue), [1, 2, 3, 4, 5]);
});
