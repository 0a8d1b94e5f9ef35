import type { AppSpec, Feature } from '../../spec.ts';
import { fieldsIn, optionsIn } from '../new-fields.ts';
import { done, type Outcome, type Rule, refuse } from '../rule.ts';
import { bare, isOne, meaning, pieces, type Words, wordFor } from '../words.ts';
import { addListed, addToPage } from './content.ts';
import { addFields } from './fields.ts';
import { addInputs } from './formula.ts';
import { addToGrid } from './grid.ts';
import { lit } from './look.ts';

/** “Add …”, which is a feature, fields, or an entry of what the kind lists. */
export const add: Rule = (spec, { things = '' }, words) => {
  const text = things.replace(/[\s.!]+$/u, '');
  const all = pieces(words, text).map((piece) => bare(words, piece));
  if (all.some((piece) => notServed(words, piece))) return refuse(words, 'notServed');
  const asked = all.map((piece) => meaning(words.file.features, piece));
  if (asked.length > 0 && asked.every((feature) => feature !== null)) return withFeatures(spec, asked, words);
  if (asked.some((feature) => feature !== null)) return null;
  if (!spec.entity) return addedElsewhere(spec, text, words);
  const fields = fieldsIn(words, text);
  return fields && addFields(spec, spec.entity, fields, words);
};

/** “Photo upload” is two words for what no app has; a “user name” is a name. */
const notServed = (words: Words, piece: string): boolean =>
  isOne(words.file.words['notServed'], piece) ||
  piece.split(/\s+/u).every((part) => isOne(words.file.words['notServed'], part));

function addedElsewhere(spec: AppSpec, text: string, words: Words): Outcome {
  if (String(spec.kind) === 'picker') {
    const fresh = optionsIn(words, text, 100).filter((option) => !spec.choices.includes(option));
    const choices = [...spec.choices, ...fresh];
    return fresh.length ? done(words, { ...spec, choices }, 'added', { what: fresh.join(', ') }) : null;
  }
  if (spec.kind === 'calendar') return addToGrid(spec, text, words);
  if (spec.formula && spec.variant === 'formula') return addInputs(spec, text, words);
  return (
    addListed(spec, text, words) ??
    addToPage(spec, text, words) ??
    refuse(words, fieldsIn(words, text) ? 'noFields' : 'place')
  );
}

function withFeatures(spec: AppSpec, asked: readonly Feature[], words: Words): Outcome {
  const types = new Set(spec.entity?.fields.map(({ type }) => type));
  const fresh = asked.filter((feature) => !spec.features.includes(feature));
  const names = asked.map((feature) => wordFor(words.file.features, feature)).join(', ');
  if (fresh.length === 0) return refuse(words, 'there', names);
  if (fresh.includes('due') && !types.has('date')) return refuse(words, 'noDate');
  if (fresh.includes('totals') && !types.has('number') && !types.has('currency'))
    return refuse(words, 'noNumbers');
  const next = { ...spec, features: [...spec.features, ...fresh] };
  const dark = fresh.includes('dark') ? lit(next, wordFor(words.file.modes, 'dark'), words) : null;
  return done(words, dark && 'spec' in dark ? dark.spec : next, 'added', { what: names });
}
