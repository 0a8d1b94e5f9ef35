import type { Entity, Lang, SeedRow } from '../spec.ts';
import { withoutAudience } from './audience.ts';
import type { EntityFound } from './entity-in.ts';
import { numbered, statedFields, wordRun } from './fields.ts';
import { isEmptyWord, withoutEmptyStart } from './function-words.ts';
import { type DraftField, lexiconField } from './item.ts';
import { concepts } from './lexicon/concepts.ts';
import type { EntityEntry, Layout } from './lexicon/entities/entry.ts';
import { merged } from './merged.ts';
import { capitalised, hashOf, inLang, shortened } from './text.ts';
import { inLabelUnit, inUnits } from './units.ts';

/** What an app that keeps things is made of. */
export interface Kept {
  readonly entity: Entity;
  readonly drafts: readonly DraftField[];
  readonly layout: Layout;
  readonly entry: EntityEntry | null;
  /** The prompt listed fields itself. */
  readonly stated: boolean;
}

/** The entity with its fields: those of the lexicon, over which a list in the prompt wins. */
export function keptThing(prompt: string, lang: Lang, found: EntityFound | null): Kept {
  const entry = found?.entry ?? null;
  const [singular, plural] = entry ? namesOf(entry, lang) : freeNames(prompt, lang);
  const usual = (entry?.fields ?? 'name category status date notes')
    .split(' ')
    .map((reference) => inUnits(lexiconField(reference, lang), prompt));
  const { fields, explicit } = statedFields(prompt, lang);
  const itself = (field: DraftField) =>
    [singular, plural].some((name) => name.toLowerCase() === field.label.toLowerCase());
  const stated = fields.map((field) =>
    itself(field) && ['text', 'longtext'].includes(field.type)
      ? {
          label: capitalised(singular, lang),
          type: 'text' as const,
          concept: usual[0]?.concept ?? null,
          options: [],
        }
      : field,
  );
  const combined = stated.length > 0 ? merged(usual, stated, explicit, prompt) : usual;
  const drafts = asksToTick(prompt, combined) ? [...combined, lexiconField('done', lang)] : combined;
  return {
    entity: { singular, plural, fields: numbered(drafts) },
    drafts,
    layout: entry?.layout ?? (drafts.some((field) => field.concept === 'done') ? 'checklist' : 'table'),
    entry,
    stated: stated.length > 0,
  };
}

/** “I want to tick it off” asks for a box, in whatever sentence it stands. */
const asksToTick = (prompt: string, drafts: readonly DraftField[]) =>
  /(?<!\p{L})(?:(?:tick|check|cross)(?:ing)?(?: (?:it|them|things|items))? off|abhaken|abhakbar\p{L}*|abgehakt|tachar\p{L}*|cocher)(?!\p{L})/iu.test(
    prompt,
  ) && !drafts.some((field) => field.type === 'checkbox');

function namesOf(entry: EntityEntry, lang: Lang): [string, string] {
  const [singular = '', plural = singular] = inLang(entry.names, lang).split('/');
  return [singular, capitalised(plural, lang)];
}

const about: Record<Lang, string> = {
  en: '(?:track(?:s|ing|er for)?|keep track of|manag(?:e|ing)|organi[sz](?:e|ing)|list of|collect(?:ing|ion of)?|catalogue?(?: of)?|log(?:ging)?|app for|database (?:of|for)|record|planner for|inventory of)\\s+(?:all |my |our |the |a |an |some )*',
  de: '(?:verwaltung (?:von|für)|liste (?:von|für|mit)|app (?:für|zum)|sammlung von|verwalten von|übersicht über|datenbank für)\\s+(?:meine[rnms]? |unsere[rnms]? |alle |die |den |das )*',
  es: '(?:control de|seguimiento de|gestor de|gestión de|lista de|registro de|registrar|organizar|gestionar|app (?:para|de)|aplicación (?:para|de)|colección de)\\s+(?:mis? |nuestr[oa]s? |los |las |el |la )*',
  fr: "(?:suivi (?:de |des |du |d[’'])?|gestion (?:de |des |du |d[’'])?|liste (?:de |des |d[’'])?|gérer|suivre|organiser|application (?:pour|de)|appli (?:pour|de)|collection (?:de |d[’'])?)\\s*(?:mes |mon |ma |nos |les |la |le |l[’'])*",
};
const stop =
  /\s(?:with|mit|con|avec|and|und|y|et|that|which|called|named|namens|including|by|in|on|at|from|to|using|where|so|für|for|para|pour|de|per|who|die|der|das|zum)\s.*$|[,.;:!?()].*$/iu;

/** “Every day” says when something is written down, not what. */
const when =
  /\s+(?:every|each|daily|weekly|monthly|jeden?|täglich|wöchentlich|cada|todos|diari[oa]|chaque|tous|quotidien(?:ne)?s?)(?:\s.*)?$/iu;

/** The names of a thing that the lexicon does not know, taken from the prompt. */
function freeNames(request: string, lang: Lang): [string, string] {
  const prompt = withoutAudience(request).replace(/\s+/gu, ' ');
  const before =
    /(?<![\p{L}’'-])((?:\p{L}|[-’'])+(?: (?:\p{L}|-)+)?) (?:tracker|manager|log|logger|planner|organi[sz]er|list|database|collection|inventory|app|directory|catalogue?)(?!\p{L})/iu.exec(
      lang === 'en' ? prompt : '',
    )?.[1];
  const after = new RegExp(`(?<!\\p{L})${about[lang]}(.{2,60})`, 'iu').exec(prompt)?.[1]?.replace(stop, '');
  // “Fishing log species length weight” lists fields after the word.
  const raw = ((after && wordRun(after, lang).length < 2 ? after : null) ?? before ?? '').trim();
  const meant = withoutEmptyStart(raw).replace(when, '').trim();
  if (!/\p{L}{2}/u.test(meant) || meant.split(/\s+/u).every(isEmptyWord))
    return inLang('item/Items|Eintrag/Einträge|elemento/Elementos|élément/Éléments', lang).split('/') as [
      string,
      string,
    ];
  const plural = shortened(meant, 40);
  const singular =
    lang === 'en'
      ? plural
          .replace(/ies$/u, 'y')
          .replace(/(?<=(?:s|x|ch|sh))es$/u, '')
          .replace(/(?<=[^su])s$/u, '')
      : plural;
  const isPlural = lang !== 'en' || singular !== plural;
  return [
    lang === 'de' ? singular : singular.toLowerCase(),
    capitalised(isPlural ? plural : `${plural}s`, lang),
  ];
}

/** Entries to begin with, so that the app can be judged at a glance. Values are always the same for a prompt. */
export function seedFor(kept: Kept, prompt: string, lang: Lang, due: boolean): SeedRow[] {
  const samples = kept.entry ? inLang(kept.entry.seeds, lang).split(';') : [];
  if (samples.length === 0 || !kept.entry) return [];
  // Beside a date to come, a plain date is of what has been.
  const coming = due && !kept.drafts.some((field) => ahead.has(field.concept ?? ''));
  return samples.map((sample, index) => {
    const parts = sample.split(' / ').map((text) => text.trim());
    const texts = parts.filter((part) => !fact.test(part));
    const facts = new Map(
      parts.flatMap((part) => (fact.test(part) ? [part.split('=', 2) as [string, string]] : [])),
    );
    const row: Record<string, string | number | boolean> = {};
    const usual = kept.entry?.fields.split(' ').map((reference) => reference.split(':')[0]) ?? [];
    for (const [at, field] of kept.drafts.entries()) {
      // A sample's texts belong to the first text fields of the lexicon, wherever the prompt has put them.
      const textFields = usual.filter((id) => id && concepts[id]?.type === 'text');
      const place = at === 0 ? 0 : textFields.indexOf(field.concept ?? '');
      const value =
        field.type === 'text'
          ? (texts[place] ?? '')
          : (factFor(field, facts.get(field.concept ?? '')) ??
            valueFor(field, index, hashOf(prompt, `${index}/${at}`), coming, at === 0));
      if (value !== '') row[`f${at}`] = value;
    }
    return row;
  });
}

/** What is true of a sample, such as the year of a film: `year=2016`. */
const fact = /^[a-z]+=/;

function factFor(field: DraftField, stated: string | undefined): string | number | null {
  if (stated === undefined) return null;
  if (field.type === 'number' || field.type === 'currency') return Number(stated);
  return field.type !== 'select' || field.options.includes(stated) ? stated : null;
}

const behind = new Set(['lastwatered', 'lastdone']);
const ahead = new Set(['due', 'next', 'birthday', 'start', 'end', 'on']);

function valueFor(
  field: DraftField,
  index: number,
  chance: number,
  due: boolean,
  first: boolean,
): string | number | boolean {
  const concept = field.concept ? concepts[field.concept] : undefined;
  if (field.type === 'select') return field.options[index % field.options.length] ?? '';
  if (field.type === 'checkbox') return index % 3 === 2;
  if (field.type === 'rating') return 3 + (chance % 3);
  if (field.type === 'time') {
    const times =
      field.concept === 'to' ? ['12:00', '16:30', '20:30', '22:00'] : ['08:00', '12:30', '17:00', '20:00'];
    return times[index % 4] ?? '09:00';
  }
  if (field.type === 'date') {
    const coming = !behind.has(field.concept ?? '') && (due || ahead.has(field.concept ?? ''));
    if (coming) return `@+${[2, 6, 13, 24, 40][index % 5] ?? 3}`;
    return first ? `@-${index}` : `@-${index * 9 + (chance % 6)}`;
  }
  if (field.type === 'number' || field.type === 'currency') {
    const [low, high, step] = concept?.range ?? [2, 40, 1];
    const steps = Math.round((high - low) / step);
    return inLabelUnit(Math.round((low + (chance % (steps + 1)) * step) * 100) / 100, field.label);
  }
  return '';
}
