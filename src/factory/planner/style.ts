import { colourNames } from './colour.ts';
import { words } from './words.ts';

const looks =
  'dark|dunkel|dunkle[smnr]?|oscur[oa]|sombre|minimal|minimalistic|minimalist(?:isch\\p{L}*|a|e)?|modern(?:e[smnr]?|o|a)?|clean|sleek|elegant\\p{L}*|elegante|élégante?|stylish|playful|verspielt\\p{L}*|colou?rful|bunt\\p{L}*|colorid[oa]|colorée?|pastel\\p{L}*|neon|néon|neón|retro|rétro|cute|fancy|cozy|cosy|flat|rounded|schlicht\\p{L}*|hübsch|schick|épurée?|sobre|limpi[oa]|bonit[oa]|jolie?|beautiful|pretty|professional|professionell|profesional|professionnelle?|simple|schwarz|weiß|black|white|negr[oa]|blanc[oa]?|noire?|blanche';
const fillers =
  'light|bright|deep|warm|cool|soft|hell|helles?|clair|claro|theme|themes|mode|design|style|stil|look|colou?rs?|colou?red|accents?|tones?|shades?|palette|background|hintergrund|farben?|farbig|akzent|thema|tema|thème|couleurs?|color(?:es)?|estilo|diseño|fondo|in|and|with|with a|a|an|very|please|nice|it|should be|mit|und|im|bitte|sehr|ein(?:e[mnrs]?)?|con|un|una|y|en|de|por favor|muy|avec|une?|et|très|svp|s’il vous plaît';

const style = new RegExp(`${words(`${colourNames}|${looks}`).source}`, 'giu');
const filler = new RegExp(words(fillers).source, 'giu');

/** Whether an item of a list is nothing but a colour or a look: “teal”, “dark and minimal”, “in light blue”. */
export function isStyle(item: string): boolean {
  const rest = item.replace(style, ' ');
  return rest !== item && !/[\p{L}\p{N}]/u.test(rest.replace(filler, ' '));
}

/** A list without its colours and looks, unless they are what it is about: “red, green or blue?”. */
export function withoutStyle(items: readonly string[]): string[] {
  const kept = items.filter((item) => !isStyle(item));
  return items.length - kept.length < Math.max(2, items.length / 2) ? kept : [...items];
}
