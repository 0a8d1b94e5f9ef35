import type { Palette } from '../spec.ts';

/** Colours of one mode, light or dark. Each pair that text is set in has a contrast of at least 4.5. */
export type Shades = Readonly<Record<ShadeName, string>>;
type ShadeName =
  | 'bg'
  | 'surface'
  | 'raised'
  | 'text'
  | 'muted'
  | 'line'
  | 'field-line'
  | 'accent'
  | 'on-accent'
  | 'accent-text'
  | 'accent-soft'
  | 'danger'
  | 'danger-soft'
  | 'good'
  | 'good-soft'
  | 'warn'
  | 'warn-soft'
  | 'c1'
  | 'c2'
  | 'c3'
  | 'c4'
  | 'c5'
  | 'c6';

interface Lch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

/** The shades of a palette for light and dark surroundings. */
export function shadesOf(palette: Palette): { light: Shades; dark: Shades } {
  const accent = toLch(palette.accent);
  return { light: lightShades(accent), dark: darkShades(accent) };
}

function lightShades({ l, c, h }: Lch): Shades {
  const tint = Math.min(c, 0.024);
  const bg = toHex({ l: 0.979, c: tint * 0.22, h });
  const surface = '#ffffff';
  const raised = toHex({ l: 0.962, c: tint * 0.3, h });
  // Yellow and its like stay themselves as a fill with dark text on it; a text in them is darkened.
  const bright = l > 0.72;
  const accent = bright
    ? toHex({ l: Math.min(l, 0.86), c, h })
    : untilContrast({ l, c, h }, '#ffffff', 4.5, -1);
  const soft = toHex({ l: 0.955, c: Math.min(c, 0.027), h });
  return {
    bg,
    surface,
    raised,
    text: toHex({ l: 0.23, c: Math.min(c, 0.025), h }),
    muted: untilContrast(
      { l: 0.52, c: Math.min(c, 0.025), h },
      toHex({ l: 0.94, c: tint * 0.3, h }),
      4.6,
      -1,
    ),
    line: toHex({ l: 0.918, c: tint * 0.35, h }),
    'field-line': untilContrast({ l: 0.72, c: Math.min(c, 0.02), h }, surface, 3.1, -1),
    accent,
    'on-accent': bright ? toHex({ l: 0.24, c: Math.min(c, 0.05), h }) : '#ffffff',
    'accent-text': untilContrast({ l: Math.min(l, 0.55), c, h }, soft, 4.6, -1),
    'accent-soft': soft,
    ...signals('light'),
    ...series({ l: 0.58, c: c < 0.03 ? 0.09 : 0.15, h }, raised, -1),
  };
}

function darkShades({ l, c, h }: Lch): Shades {
  const tint = Math.min(c, 0.02);
  const bg = toHex({ l: 0.185, c: tint * 0.8, h });
  const surface = toHex({ l: 0.232, c: tint, h });
  const raised = toHex({ l: 0.275, c: tint, h });
  const soft = toHex({ l: 0.31, c: Math.min(c, 0.06), h });
  return {
    bg,
    surface,
    raised,
    text: toHex({ l: 0.945, c: Math.min(c, 0.012), h }),
    muted: untilContrast({ l: 0.7, c: Math.min(c, 0.02), h }, raised, 4.8, 1),
    line: toHex({ l: 0.325, c: tint, h }),
    'field-line': untilContrast({ l: 0.5, c: Math.min(c, 0.02), h }, raised, 3.1, 1),
    accent: toHex({ l: Math.max(l, 0.74), c: Math.min(c, 0.16), h }),
    'on-accent': toHex({ l: 0.19, c: Math.min(c, 0.04), h }),
    'accent-text': untilContrast({ l: Math.max(l, 0.78), c: Math.min(c, 0.15), h }, soft, 4.8, 1),
    'accent-soft': soft,
    ...signals('dark'),
    ...series({ l: 0.74, c: c < 0.03 ? 0.08 : 0.13, h }, raised, 1),
  };
}

function signals(mode: 'light' | 'dark') {
  const pair = (h: number, c: number) => {
    const soft = toHex(mode === 'light' ? { l: 0.955, c: 0.03, h } : { l: 0.3, c: 0.05, h });
    const text = untilContrast(
      mode === 'light' ? { l: 0.55, c, h } : { l: 0.76, c: c * 0.8, h },
      soft,
      4.7,
      mode === 'light' ? -1 : 1,
    );
    return [text, soft] as const;
  };
  const [danger, dangerSoft] = pair(25, 0.19);
  const [good, goodSoft] = pair(150, 0.13);
  const [warn, warnSoft] = pair(65, 0.12);
  return { danger, 'danger-soft': dangerSoft, good, 'good-soft': goodSoft, warn, 'warn-soft': warnSoft };
}

/** Six colours for charts and labels, starting with the accent's hue. They stand out from every ground: by 3 to 1 at least. */
function series({ l, c, h }: Lch, raised: string, direction: 1 | -1) {
  const at = (turn: number, lift = 0) =>
    untilContrast({ l: l + lift, c, h: (h + turn) % 360 }, raised, 3.05, direction);
  return {
    c1: at(0),
    c2: at(150, 0.04),
    c3: at(60, 0.08),
    c4: at(225),
    c5: at(300, 0.05),
    c6: at(105, -0.04),
  };
}

/** Moves the lightness in steps of one hundredth until the contrast with `against` is reached. */
function untilContrast(start: Lch, against: string, ratio: number, direction: 1 | -1): string {
  let { l } = start;
  let hex = toHex(start);
  while (contrast(hex, against) < ratio && l > 0 && l < 1) {
    l += direction * 0.01;
    hex = toHex({ ...start, l: Math.min(Math.max(l, 0), 1) });
  }
  return hex;
}

/** Contrast ratio of WCAG 2: 1 for equal colours, 21 for black on white. */
export function contrast(a: string, b: string): number {
  const [bright, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (bright + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function linear(hex: string): [number, number, number] {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

/** The matrices are those of the OKLab definition: equal steps of `l` look equally bright in every hue. */
export function toLch(hex: string): Lch {
  const [r, g, b] = linear(hex);
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const bb = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  const h = (Math.atan2(bb, a) * 180) / Math.PI;
  return { l, c: Math.hypot(a, bb), h: h < 0 ? h + 360 : h };
}

/** Chroma is lowered until the colour exists on a screen. */
export function toHex({ l, c, h }: Lch): string {
  for (let chroma = c; chroma > 0.001; chroma -= 0.004) {
    const rgb = toRgb(l, chroma, h);
    if (rgb.every((value) => value > -0.0005 && value < 1.0005)) return hexOf(rgb);
  }
  return hexOf(toRgb(l, 0, h));
}

function toRgb(l: number, c: number, h: number): [number, number, number] {
  const angle = (h * Math.PI) / 180;
  const a = c * Math.cos(angle);
  const b = c * Math.sin(angle);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function hexOf(rgb: readonly number[]): string {
  const part = (value: number) => {
    const clipped = Math.min(Math.max(value, 0), 1);
    const encoded = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${rgb.map(part).join('')}`;
}
