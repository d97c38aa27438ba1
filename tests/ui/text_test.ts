import { assert, assertEquals } from "@std/assert";
import { fit, fitEnd, wrap } from "../../src/ui/text.ts";

Deno.test("fit() leaves a text that fits as it is", () => {
  assertEquals(fit("Ship", 4), { text: "Ship", cells: 4 });
  assertEquals(fit("発表", 4), { text: "発表", cells: 4 });
});

Deno.test("fit() ends a text that is too long in an ellipsis", () => {
  assertEquals(fit("Ship it", 4), { text: "Shi…", cells: 4 });
  assertEquals(fit("Ship it", 1), { text: "…", cells: 1 });
  assertEquals(fit("Ship it", 0), { text: "", cells: 0 });
  assertEquals(fit("Ship it", -3), { text: "", cells: 0 });
});

Deno.test("fit() counts cells, not characters", () => {
  assertEquals(fit("你好世界", 3), { text: "你…", cells: 3 });
  assertEquals(fit("你好世界", 4), { text: "你…", cells: 3 });
  assertEquals(fit("e\u0301e\u0301", 2), { text: "e\u0301e\u0301", cells: 2 });
});

Deno.test("fit() never cuts a grapheme", () => {
  const family = "👨‍👩‍👧‍👦";
  for (let columns = 1; columns <= 12; columns++) {
    const { text } = fit(`a${family}b`, columns);
    assert(text.isWellFormed());
    assertEquals(text.replace(family, "").replace(/^a?[b…]?$/, ""), "");
  }
});

Deno.test("fit() shows control characters as marks and keeps what follows", () => {
  assertEquals(fit("keep\x9b42mthis", 40).text, "keep\ufffd42mthis");
  assertEquals(fit("\x1b]52;c;x\x07", 40).text, "␛]52;c;x␇");
  assertEquals(fit("a\x7fb\0", 40).text, "a␡b␀");
});

Deno.test("fit() leaves out what would reorder or hide text", () => {
  assertEquals(fit("\u202Edeteled\u2066\u200b\ufeff", 40).text, "deteled");
  assertEquals(fit("שלום", 40).text, "שלום");
});

Deno.test("fit() makes one line of many", () => {
  const text = "a\r\nb\n\n\tc\vd\fe\u2028f\u2029g\x85h";
  assertEquals(fit(text, 40).text, "a b c d e f g h");
});

Deno.test("fit() replaces lone surrogates", () => {
  assertEquals(fit("a\ud83d", 40).text, "a\ufffd");
  assertEquals(fit("\udc68b", 40).text, "\ufffdb");
});

Deno.test("fit() limits how many marks pile up on a letter", () => {
  const { text, cells } = fit("Z" + "\u0335".repeat(5000), 5);
  assertEquals(text.length <= 10, true);
  assertEquals(cells <= 5, true);
});

Deno.test("fit() looks at no more of a long text than can matter", () => {
  const text = "\u200b".repeat(16_000) + "hidden";
  assertEquals(fit(text, 10).text, "…");
});

Deno.test("fitEnd() keeps the end", () => {
  assertEquals(fitEnd("t_1_a1b2", 5), { text: "…a1b2", cells: 5 });
  assertEquals(fitEnd("t_1_a1b2", 8), { text: "t_1_a1b2", cells: 8 });
  assertEquals(fitEnd("t_1", 0), { text: "", cells: 0 });
  assertEquals(fitEnd("你好世界", 4), { text: "…界", cells: 3 });
  assertEquals(fitEnd("x".repeat(20_000), 3), { text: "…xx", cells: 3 });
});

Deno.test("wrap() breaks between words", () => {
  assertEquals(wrap("the quick brown fox", 10), ["the quick", "brown fox"]);
});

Deno.test("wrap() keeps line breaks and the start of lines", () => {
  assertEquals(wrap("a\r\n\n  b", 10), ["a", "", "  b"]);
});

Deno.test("wrap() breaks long words between graphemes", () => {
  assertEquals(wrap("abcdefg", 3), ["abc", "def", "g"]);
  assertEquals(wrap("ab 你好世", 5), ["ab 你", "好世"]);
  assertEquals(wrap("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3), ["👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"]);
});

Deno.test("wrap() marks what is wider than a line", () => {
  assertEquals(wrap("a你b", 1), ["a", "…", "b"]);
});

Deno.test("wrap() returns nothing where there are no columns", () => {
  assertEquals(wrap("abc", 0), []);
});
