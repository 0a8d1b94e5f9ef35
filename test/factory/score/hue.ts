/** Spans of the colour wheel in degrees, which overlap where people differ. */
const spans: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  red: [
    [0, 16],
    [340, 360],
  ],
  orange: [[14, 44]],
  yellow: [[38, 70]],
  green: [[70, 172]],
  teal: [[158, 202]],
  blue: [[186, 255]],
  purple: [[244, 318]],
  pink: [[296, 352]],
};

/** The names by which people call a colour, given as `#rrggbb`: none, one or several. */
export function hueNames(hex: string): string[] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
  );
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const lightness = (most + least) / 2;
  const spread = most - least;
  const saturation = spread === 0 ? 0 : spread / (1 - Math.abs(2 * lightness - 1));
  const names: string[] = [];
  if (lightness < 0.18) names.push('black');
  if (saturation < 0.18) return [...names, 'grey'];
  const hue = hueOf(red, green, blue, most, spread);
  for (const [name, parts] of Object.entries(spans))
    if (parts.some(([from, to]) => hue >= from && hue <= to)) names.push(name);
  if (hue >= 8 && hue <= 46 && lightness < 0.48) names.push('brown');
  if ((hue <= 12 || hue >= 318) && lightness > 0.66) names.push('pink');
  return names;
}

function hueOf(red: number, green: number, blue: number, most: number, spread: number): number {
  const sixths =
    most === red
      ? (green - blue) / spread
      : most === green
        ? 2 + (blue - red) / spread
        : 4 + (red - green) / spread;
  return (sixths * 60 + 360) % 360;
}
