/** A duration for people: `150 ms`, `2.5 seconds`. */
export function durationInWords(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} second${ms === 1000 ? '' : 's'}`;
}
