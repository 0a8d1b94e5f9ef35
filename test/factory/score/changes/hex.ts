/** A colour of each name, as somebody picks it. */
const hexes: Readonly<Record<string, string>> = {
  red: '#c62828',
  orange: '#d9721e',
  yellow: '#d9b51e',
  green: '#2f7d4f',
  teal: '#0f8a8a',
  blue: '#1f6fd9',
  purple: '#7c3aa0',
  pink: '#d6368b',
  brown: '#7a4a21',
  grey: '#6b7075',
  black: '#111111',
};

/** Throws a `RangeError` for a name that no colour has. */
export function hexOf(hue: string): string {
  const hex = hexes[hue];
  if (hex === undefined) throw new RangeError(`there is no colour ${hue}`);
  return hex;
}
