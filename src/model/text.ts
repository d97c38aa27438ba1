/**
 * Text that is safe to keep and to show.
 *
 * @module
 */

/** The text in a form that every model and terminal can take: well formed, and without control characters but newline and tab. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, "");
}

/** What anything thrown has to say, in one printable line. */
export function reasonOf(thrown: unknown): string {
  try {
    const reason: unknown = thrown instanceof Error ? thrown.message : thrown;
    return printable(String(reason), 300);
  } catch {
    return "something was thrown that cannot be shown";
  }
}

/**
 * Makes text safe to show on a terminal, in a log or to a model: well formed,
 * with every control, format and private character replaced, and cut to
 * `maxLength` UTF-16 code units.
 */
export function printable(text: string, maxLength = 80): string {
  const cut = text.length > maxLength
    ? text.slice(0, maxLength - 1) + "…"
    : text;
  return cut.replace(/[\p{C}\u2028\u2029]/gu, "\uFFFD");
}

/** A caller's value in double quotes, made printable and short. */
export function quote(value: string): string {
  return `"${printable(value)}"`;
}

/** Up to `max` ids, comma separated and quoted, then how many were left out. */
export function quoteAll(values: readonly string[], max = 5): string {
  const shown = values.slice(0, max).map(quote).join(", ");
  const rest = values.length - max;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
