import { createHash } from 'node:crypto';
import { type Lang, langs } from '../spec.ts';

/** The word bounds of every script; `\b` only knows the letters of English. */
export function words(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'iu');
}

/** A prompt made fit to work with: composed letters, one kind of quotes, no control characters. */
export function cleanPrompt(raw: string): string {
  return raw
    .normalize('NFC')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Cuts between words where it can, and never through a letter made of two code units. */
export function shortened(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const cut = letters.slice(0, most).join('');
  const space = cut.lastIndexOf(' ');
  return (space > most / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–-]+$/u, '');
}

export function capitalised(text: string, lang: Lang): string {
  const [first = '', ...rest] = [...text];
  return first.toLocaleUpperCase(lang) + rest.join('');
}

/** One of four texts separated by `|`. */
export function inLang(texts: string, lang: Lang): string {
  const all = texts.split('|');
  return all[langs.indexOf(lang)] ?? all[0] ?? '';
}

/** A number that is always the same for the same text; `salt` gives independent ones. */
export function hashOf(text: string, salt = ''): number {
  return createHash('sha256').update(`${salt}\0${text}`).digest().readUInt32BE(0);
}

const signs: Record<Lang, RegExp> = {
  en: /(?<!\p{L})(the|and|with|for|my|an|of|to|that|where|our|me|is|it|build|make|create|want|need|app for|simple|list)(?!\p{L})/giu,
  de: /(?<!\p{L})(ein|eine|einen|einer|eines|der|die|das|und|mit|für|meine|meinen|meiner|mein|zum|zur|von|ich|im|auf|erstelle|baue|bitte|unsere|unser|namens|den)(?!\p{L})|[ßäöü]/giu,
  es: /(?<!\p{L})(una|un|el|la|los|las|con|para|mi|mis|del|de|y|que|por|quiero|crea|nuestra|en|llamad[ao])(?!\p{L})|[ñ¿¡]|(ción|ado)(?!\p{L})/giu,
  fr: /(?<!\p{L})(une|un|le|la|les|avec|pour|mon|ma|mes|des|du|de|et|qui|je|crée|créer|notre|en|sur|appelée?)(?!\p{L})|(?<!\p{L})[dlj]['’]|[çœêèù]/giu,
};

/** The language of a prompt; English when nothing tells. */
export function languageOf(prompt: string): Lang {
  const scores = langs.map((lang) => [prompt.match(signs[lang])?.length ?? 0, lang] as const);
  const best = scores.reduce((top, next) => (next[0] > top[0] ? next : top));
  return best[0] === 0 ? singleWord(prompt) : best[1];
}

/** Prompts of one or two words have no small words; their kind is often named in their own language. */
function singleWord(prompt: string): Lang {
  if (/(rechner|liste|planer|tagebuch|verwaltung|stoppuhr|spiel|umfrage|buch|trainer)(?!\p{L})/iu.test(prompt)) return 'de';
  if (words('calculadora|lista|gastos|recetas|tareas|diario|encuesta|juego|cronómetro|temporizador|libros|notas|hábitos').test(prompt)) return 'es';
  if (words('calculatrice|liste|dépenses|recettes|tâches|sondage|jeu|chronomètre|minuteur|livres|carnet').test(prompt)) return 'fr';
  return 'en';
}
