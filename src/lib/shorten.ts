/** The text on one line, cut to at most `length` characters with an ellipsis, never through a surrogate pair. */
export function shorten(text: string, length: number): string {
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= length) return line;
  return `${line.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
