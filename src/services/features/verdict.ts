/** How alike two texts are, in a word. */
export function verdictOf(similarity: number): string {
  if (similarity >= 1) return 'identical';
  if (similarity >= 0.85) return 'near_duplicate';
  if (similarity >= 0.6) return 'similar';
  return similarity >= 0.3 ? 'related' : 'different';
}
