/** A duration for people: `150 ms`, `2.5 seconds`. */
export function durationInWords(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} second${ms === 1000 ? '' : 's'}`;
}

/** A wait for people, in minutes: `a minute`, `15 minutes`. */
export function minutesInWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes <= 1 ? 'a minute' : `${minutes} minutes`;
}
