/** The candidate that `name` is most likely a misspelling of; null when none is near enough. */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const difference = distance(name, candidate);
    if (difference !== null && difference < bestDistance) {
      best = candidate;
      bestDistance = difference;
    }
  }
  return best;
}

/** By how many characters a misspelling differs from what was meant, whatever their case; null: it is another word. */
export function distance(name: string, candidate: string): number | null {
  // A third may be wrong: with more than that it is another word.
  const max = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
  if (Math.abs(name.length - candidate.length) > max) return null;
  const edits = editDistance(name.toLowerCase(), candidate.toLowerCase());
  return edits <= max ? edits : null;
}

/** The fewest insertions, deletions, replacements and swaps of neighbours that turn one into the other. */
function editDistance(from: string, to: string): number {
  // rows[i][j]: the distance between the first i characters of one and the first j of the other.
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (line: number, column: number): number => rows[line]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let line = 1; line <= from.length; line++) {
    const row = [line];
    rows.push(row);
    for (let column = 1; column <= to.length; column++) {
      const differ = from[line - 1] === to[column - 1] ? 0 : 1;
      const swapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      row[column] = Math.min(
        at(line - 1, column - 1) + differ,
        at(line - 1, column) + 1,
        at(line, column - 1) + 1,
        swapped ? at(line - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(from.length, to.length);
}
