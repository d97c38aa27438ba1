/**
 * A document for programs that expect to run in a browser.
 *
 * @module
 */

import { assert } from "@std/assert";
// @ts-types="npm:@types/jsdom@30.0.0"
import { JSDOM } from "npm:jsdom@31.0.1";

const { window } = new JSDOM("");

/** Makes this thread look enough like a browser for mermaid. */
export function installDocument(): void {
  // There is no layout here: everything is as large as this.
  const size = { x: 0, y: 0, width: 100, height: 20 };
  Object.assign(window.SVGElement.prototype, {
    getBBox: () => size,
    getComputedTextLength: () => size.width,
  });
  const { document, CSSStyleSheet } = window;
  Object.assign(globalThis, { window, document, CSSStyleSheet });
}

/** The document that this XML stands for, which must be well formed. */
export function parseXml(text: string): Document {
  const parsed = new window.DOMParser().parseFromString(text, "image/svg+xml");
  const error = parsed.querySelector("parsererror");
  assert(error === null, error?.textContent ?? "");
  return parsed;
}

/** The document that this HTML stands for. */
export function parseHtml(text: string): Document {
  return new window.DOMParser().parseFromString(text, "text/html");
}
