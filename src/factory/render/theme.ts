import type { AppSpec } from '../spec.ts';
import { type Shades, shadesOf } from './palette.ts';

const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

const looks = {
  soft: {
    radius: '16px',
    small: '10px',
    pill: '999px',
    heading: sans,
    weight: '700',
    tracking: '-0.02em',
    text: '16px',
    flat: false,
  },
  crisp: {
    radius: '8px',
    small: '6px',
    pill: '6px',
    heading: sans,
    weight: '650',
    tracking: '-0.025em',
    text: '15.5px',
    flat: true,
  },
  editorial: {
    radius: '4px',
    small: '4px',
    pill: '4px',
    heading: "'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'Times New Roman', serif",
    weight: '600',
    tracking: '-0.01em',
    text: '17px',
    flat: true,
  },
} as const;

/** The custom properties that the stylesheets are written in: colours for light and dark, corners and type. */
export function themeCss(spec: AppSpec): string {
  const { light, dark } = shadesOf(spec.palette);
  const look = looks[spec.palette.look];
  const base = [
    `  --radius: ${look.radius};`,
    `  --radius-small: ${look.small};`,
    `  --radius-pill: ${look.pill};`,
    `  --font: ${sans};`,
    `  --text-size: ${look.text};`,
    `  --font-heading: ${look.heading};`,
    `  --heading-weight: ${look.weight};`,
    `  --heading-tracking: ${look.tracking};`,
  ];
  return [
    '/* Colours, corners and type of this app. Change them here; every other stylesheet only refers to them. */',
    ':root {',
    ...base,
    ...lines('light', light, look.flat),
    '}',
    '',
    ":root[data-theme='dark'] {",
    ...lines('dark', dark, look.flat),
    '}',
    '',
    '@media screen and (prefers-color-scheme: dark) {',
    "  :root[data-theme='auto'] {",
    ...lines('dark', dark, look.flat).map((line) => `  ${line}`),
    '  }',
    '}',
    '',
  ].join('\n');
}

function lines(scheme: 'light' | 'dark', shades: Shades, flat: boolean): string[] {
  const shadow =
    scheme === 'light'
      ? ['0 1px 2px rgb(20 22 35 / 6%), 0 2px 8px rgb(20 22 35 / 4%)', '0 12px 40px rgb(20 22 35 / 16%)']
      : ['0 1px 2px rgb(0 0 0 / 30%)', '0 16px 48px rgb(0 0 0 / 50%)'];
  return [
    `  color-scheme: ${scheme};`,
    ...Object.entries(shades).map(([name, hex]) => `  --${name}: ${hex};`),
    `  --shadow: ${flat ? 'none' : shadow[0]};`,
    `  --shadow-large: ${shadow[1]};`,
    `  --ink: ${scheme === 'light' ? shades.text : shades.raised};`,
    `  --on-ink: ${scheme === 'light' ? shades.bg : shades.text};`,
  ];
}
