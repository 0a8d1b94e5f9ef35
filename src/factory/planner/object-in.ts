import type { Lang } from '../spec.ts';
import { type EntityFound, entityIn } from './entity-in.ts';
import { wordRun } from './fields.ts';
import { knownConcept } from './item.ts';
import { keptObject } from './kept-object.ts';
import { numerusOf } from './numerus.ts';
import { capitalised } from './text.ts';

/** The thing that a prompt says outright that it keeps, with what the lexicon knows of it; null where it names none. */
export function objectIn(prompt: string, lang: Lang): EntityFound | null {
  const object = keptObject(prompt, lang);
  // “Workout log sets reps weight” lists fields behind the word.
  if (!object || wordRun(object.text, lang).length >= 2 || isField(object.text, lang)) return null;
  const known = entityIn(object.text);
  // In “hose inspections” only the last word tells what is kept, in “rutas en bici” the first.
  const head = known && isHead(known.text, object.text, lang) ? known : null;
  const [singular, plural] = numerusOf(object.text, lang);
  const names =
    head && object.text !== plural
      ? {}
      : { names: [named(singular, lang), capitalised(plural, lang)] as const };
  return {
    entry: head?.entry ?? null,
    at: object.index / prompt.length,
    text: object.text,
    measured: head?.measured ?? false,
    ...names,
  };
}

/** “Noter le nom” names a field and not what is kept. */
const isField = (text: string, lang: Lang) => {
  const concept = knownConcept(text, lang);
  return concept !== null && !entityIn(text);
};

const named = (singular: string, lang: Lang) =>
  lang === 'de' ? capitalised(singular, lang) : singular.toLowerCase();

function isHead(found: string, object: string, lang: Lang): boolean {
  const [part, whole] = [found.toLowerCase(), object.toLowerCase()];
  return lang === 'en' || lang === 'de' ? whole.endsWith(part) : whole.startsWith(part);
}
