import type { Entity, Lang } from '../spec.ts';
import type { EntityFound } from './entity-in.ts';
import { numbered, statedFields } from './fields.ts';
import { freeNames } from './free-names.ts';
import { inContext } from './in-context.ts';
import { type DraftField, lexiconField } from './item.ts';
import type { EntityEntry, Layout } from './lexicon/entities/entry.ts';
import { merged } from './merged.ts';
import { numerusOf } from './numerus.ts';
import { capitalised, inLang } from './text.ts';
import { inUnits } from './units.ts';

/** What an app that keeps things is made of. */
export interface Kept {
  readonly entity: Entity;
  readonly drafts: readonly DraftField[];
  readonly layout: Layout;
  readonly entry: EntityEntry | null;
  /** It is called by the prompt’s own word, which the examples of the lexicon need not fit. */
  readonly foreign: boolean;
  /** The prompt says outright what it keeps. */
  readonly named: boolean;
  /** The prompt listed fields itself. */
  readonly stated: boolean;
  /** What the prompt puts on its list. */
  readonly entries: readonly string[];
}

/** The entity with its fields: those of the lexicon, over which a list in the prompt wins. */
export function keptThing(
  prompt: string,
  lang: Lang,
  found: EntityFound | null,
  entries: readonly string[] = [],
): Kept {
  const entry = found?.entry ?? null;
  const defaults = (entry?.fields ?? 'name category status date notes')
    .split(' ')
    .map((reference) => inUnits(lexiconField(reference, lang), prompt));
  const { fields, explicit } = statedFields(prompt, lang);
  const first = found?.names ? null : firstAsThing(fields, entry, lang);
  const [singular, plural] =
    found?.names ?? first ?? (entry ? namesOf(entry, lang) : (freeNames(prompt, lang) ?? anyNames(lang)));
  const itself = (field: DraftField) =>
    [singular, plural].some((name) => name.toLowerCase() === field.label.toLowerCase());
  const stated = fields.map((field) =>
    itself(field) && ['text', 'longtext'].includes(field.type)
      ? {
          label: capitalised(singular, lang),
          type: 'text' as const,
          concept: namesEntries(defaults[0]) ? (defaults[0]?.concept ?? null) : 'name',
          options: [],
        }
      : inContext(withDefaultOptions(field, defaults, lang), defaults, prompt, {
          free: entry === null || first !== null,
          ticked: toTick.has(entry?.id ?? ''),
        }),
  );
  const combined = besideAmount(
    stated.length > 0 ? merged(defaults, stated, explicit, prompt, entry === null) : defaults,
  );
  const ticked = toTick.has(entry?.id ?? '') || entries.length > 0 || asksToTick(prompt);
  const boxed = combined.some((field) => field.type === 'checkbox');
  const drafts = ticked && !boxed ? [...combined.slice(0, 11), lexiconField('done', lang)] : combined;
  return {
    entity: { singular, plural, fields: numbered(drafts) },
    drafts,
    layout:
      entries.length > 0
        ? 'checklist'
        : (entry?.layout ?? (drafts.some((field) => field.concept === 'done') ? 'checklist' : 'table')),
    entry,
    named: found?.names !== undefined,
    foreign: first !== null || foreignTo(entry, found),
    stated: stated.length > 0,
    entries,
  };
}

/** A rate of tax says nothing away from its amount. */
function besideAmount(drafts: readonly DraftField[]): readonly DraftField[] {
  const rate = drafts.find(({ concept }) => concept === 'vat');
  const others = drafts.filter((field) => field !== rate);
  const at = others.findIndex(({ type }) => type === 'currency');
  return rate && at >= 0 ? others.toSpliced(at + 1, 0, rate) : drafts;
}

/** Things whose list is one to tick off, whatever fields it is given. */
const toTick = new Set(['task', 'chore', 'shopping', 'packing', 'wish', 'assignment']);

/** “I want to tick it off” asks for a box, in whatever sentence it stands. */
const asksToTick = (prompt: string) =>
  /(?<!\p{L})(?:(?:tick|check|cross)(?:ing)?(?: (?:it|them|things|items))? off|abhaken|abhakbar\p{L}*|abgehakt|tachar\p{L}*|cocher)(?!\p{L})/iu.test(
    prompt,
  );

function namesOf(entry: EntityEntry, lang: Lang): [string, string] {
  const [singular = '', plural = singular] = inLang(entry.names, lang).split('/');
  return [singular, capitalised(plural, lang)];
}

const namesEntries = (field: DraftField | undefined) =>
  ['name', 'title', 'what', 'task', 'species'].includes(field?.concept ?? '');

/** “Category” alone has the default options of the thing: groceries and rent for expenses. */
function withDefaultOptions(field: DraftField, defaults: readonly DraftField[], lang: Lang): DraftField {
  if (field.type !== 'select' || field.concept === null) return field;
  const known = defaults.find(({ concept }) => concept === field.concept);
  const general = lexiconField(field.concept, lang).options.join() === field.options.join();
  return known && general ? { ...field, options: known.options } : field;
}

/** Stamps are collected as coins are, but examples of coins are none of stamps. */
const foreignTo = (entry: EntityEntry | null, found: EntityFound | null) =>
  entry !== null &&
  found?.names !== undefined &&
  !entry.names.toLowerCase().split(/[|/]/u).includes(found.names[1].toLowerCase());

const anyNames = (lang: Lang): readonly [string, string] => {
  const [singular = '', plural = ''] = inLang(
    'item/Items|Eintrag/Einträge|elemento/Elementos|élément/Éléments',
    lang,
  ).split('/');
  return [singular, plural];
};

/** “Garage inventory with columns part, shelf, quantity” keeps parts: an inventory is only where they stand. */
function firstAsThing(
  fields: readonly DraftField[],
  entry: EntityEntry | null,
  lang: Lang,
): readonly [string, string] | null {
  const [first] = fields;
  const open = entry === null || entry.id === 'product';
  if (!open || !first || fields.length < 3 || first.type !== 'text') return null;
  if (first.concept !== null && first.concept !== 'machine') return null;
  if (!/^\p{L}[\p{L}-]+(?: \p{L}+)?$/u.test(first.label)) return null;
  const [singular, plural] = numerusOf(lang === 'de' ? first.label : first.label.toLowerCase(), lang);
  return [singular, capitalised(plural, lang)];
}
