import { toHex, toLch } from '../render/palette.ts';
import type { Palette } from '../spec.ts';
import { hashOf } from './text.ts';
import { words } from './words.ts';

const named: readonly (readonly [string, string])[] = [
  ['#c8372d', 'red|rot(?:e[srnm]?)?|rojo|roja|rouge'],
  ['#b3123f', 'crimson|burgundy|bordeaux|wine red|weinrot|granate|burdeos|maroon'],
  ['#d9631e', 'orange|oranger?|naranja|terracotta|terrakotta|terracota'],
  ['#f07a5a', 'coral|koralle|lachs|salmon|salmón|saumon|peach|pfirsich|pêche'],
  ['#f2b705', 'yellow|gelb(?:e[srnm]?)?|amarill[oa]|jaune|gold|golden|dorado|doré|mustard|senf|amber'],
  ['#1f8a5b', 'green|grün(?:e[srnm]?)?|verdes?|verte?s?|emerald|smaragd|forest'],
  ['#6b8e3d', 'olive|oliv|oliva|sage|salbei|moss'],
  ['#2fae84', 'mint|minze?|menta|menthe'],
  ['#0f8a8a', 'teal|turquoise|türkis|turquesa|petrol|cyan|aqua'],
  ['#2563eb', 'blue|blau(?:e[srnm]?)?|azul(?:es)?|bleue?s?'],
  ['#1e3a6e', 'navy|dark blue|dunkelblau|marineblau|azul marino|bleu marine|indigo'],
  ['#3b9ddb', 'sky blue|light blue|hellblau|celeste|bleu ciel'],
  [
    '#7c3aed',
    'purple|violet|violett|lila|morado|morada|púrpura|violeta|violette?|lavender|lavendel|lavanda|lavande',
  ],
  ['#d6368b', 'pink|rosa(?:rot)?|rosado|fuchsia|magenta|rose'],
  [
    '#8a5a33',
    'brown|braun(?:e[srnm]?)?|marrón|marron|brun|coffee[- ]colou?red|chocolate|beige|earthy|erdfarben|earth tones',
  ],
  [
    '#4b5563',
    'gr[ae]y|grau(?:e[srnm]?)?|gris|silver|black and white|schwarz-?weiß|monochrome|minimalist|minimal',
  ],
];

/** The names of all colours, as the source of a pattern. */
export const colourNames = [...named]
  .reverse()
  .map(([, source]) => source)
  .join('|');

const dark = words(
  'dark( mode| theme| design)?|dunkel(n|m|e[srnm]?|modus)?|oscur[oa]|modo oscuro|sombre|mode sombre|night mode|nachtmodus|black|schwarz(e[srnm]?)?|negr[oa]|noire?',
);
const light = words(
  'light (mode|theme|design)|hell(e[srnm]?)? (design|modus|farben)|modo claro|tema claro|mode clair|thème clair|white|weiß',
);
// “Dark green” is a colour, not a dark page.
const shade = new RegExp(
  words(`(?:dark|dunkle[smnr]?) (?:${colourNames})|(?:${colourNames}) (?:oscur[oa]|sombre)`).source,
  'giu',
);
const hex = /#([0-9a-f]{6}|[0-9a-f]{3})(?![\p{L}\p{N}])/iu;

export interface ColoursFound {
  readonly palette: Palette;
  /** The prompt named a colour. */
  readonly stated: boolean;
}

/** The palette that a prompt asks for, else the accent that suits the subject. `name` is left out: “Red Rooster”. */
export function coloursOf(prompt: string, name: string | null, defaultAccent: string): ColoursFound {
  // In “condition (mint, good, poor)” mint is a choice.
  const text = (name ? prompt.replaceAll(name, ' ') : prompt).replace(/\([^()]*,[^()]*\)/g, ' ');
  const exact = hex.exec(text)?.[1];
  const first = named
    .map(([colour, source]) => ({ colour, match: words(source).exec(text) }))
    .flatMap(({ colour, match }) => (match ? [{ colour, at: match.index, length: match[0].length }] : []))
    .sort((a, b) => a.at - b.at || b.length - a.length)[0];
  const stated = exact ? longHex(exact) : (first?.colour ?? null);
  const look = (['soft', 'soft', 'crisp'] as const)[hashOf(prompt, 'look') % 3] ?? 'soft';
  const mode = dark.test(text.replaceAll(shade, ' ')) ? 'dark' : light.test(text) ? 'light' : 'auto';
  return {
    palette: { accent: stated ?? varied(defaultAccent, prompt), mode, look },
    stated: stated !== null,
  };
}

function longHex(digits: string): string {
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return `#${long.toLowerCase()}`;
}

/** A few degrees to either side, so that two apps about one thing need not look the same. */
function varied(accent: string, prompt: string): string {
  const { l, c, h } = toLch(accent);
  return toHex({ l, c, h: (h + (hashOf(prompt, 'hue') % 25) - 12 + 360) % 360 });
}
