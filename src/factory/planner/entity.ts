import type { Entity, Lang, SeedRow } from '../spec.ts';
import { type DraftField, lexiconField, numbered, statedFields, wordRun } from './fields.ts';
import { concepts } from './lexicon/concepts.ts';
import type { EntityEntry, Layout } from './lexicon/entities/entry.ts';
import { entities } from './lexicon/entities.ts';
import { merged } from './merged.ts';
import { capitalised, hashOf, inLang, shortened, words } from './text.ts';

export interface EntityFound {
  readonly entry: EntityEntry;
  /** Where it is mentioned, from 0 to 1. */
  readonly at: number;
  readonly text: string;
}

const patterns = entities.map((entry) => {
  const names = entry.names.split(/[|/]/);
  const all = [
    ...new Set([
      ...names,
      ...entry.words.split(' ').map((word) => word.replaceAll('-', '[ -]')),
      ...names.flatMap(germanHead),
    ]),
  ].filter(Boolean);
  return {
    entry,
    pattern: words(
      all
        .map((word) => word.toLowerCase())
        .sort((a, b) => b.length - a.length)
        .join('|'),
    ),
  };
});

/** German joins words: “Rezept” is also found in “Rezeptsammlung”. */
function germanHead(name: string): string[] {
  return name.length > 4 && /^\p{Lu}/u.test(name)
    ? [
        `${name.toLowerCase()}s?-?(?:liste|tracker|verwaltung|sammlung|planer|app|buch|tagebuch|übersicht|manager|datenbank|kalender)`,
      ]
    : [];
}

/** A word for the thing itself counts as if it stood this much earlier than one that only suggests it. */
const ownName = 25;

/** The thing that a prompt wants to keep track of: of several, the one mentioned first. */
export function entityIn(prompt: string): EntityFound | null {
  const found = patterns.flatMap(({ entry, pattern }) => {
    const match = pattern.exec(prompt);
    if (!match) return [];
    const named = [entry.id, ...entry.names.toLowerCase().split(/[|/]/)].includes(match[0].toLowerCase());
    // “A budget for students” is about the budget.
    const audience = named && /(?:for|für|para|pour)\s$/iu.test(prompt.slice(0, match.index));
    return [
      {
        entry,
        at: match.index,
        text: match[0],
        rank: match.index + (audience ? ownName : named ? -ownName : 0),
      },
    ];
  });
  const whole = found.filter(
    (one) =>
      !found.some(
        (other) =>
          other.text.length > one.text.length &&
          other.at <= one.at &&
          other.at + other.text.length >= one.at + one.text.length,
      ),
  );
  const [first] = whole.sort((a, b) => a.rank - b.rank || b.text.length - a.text.length);
  return first ? { entry: first.entry, at: first.at / prompt.length, text: first.text } : null;
}

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
    .map((reference) => lexiconField(reference, lang));
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

export function namesOf(entry: EntityEntry, lang: Lang): [string, string] {
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

/** The names of a thing that the lexicon does not know, taken from the prompt. */
function freeNames(prompt: string, lang: Lang): [string, string] {
  const before =
    /(?<![\p{L}’'-])((?:\p{L}|[-’'])+(?: (?:\p{L}|-)+)?) (?:tracker|manager|log|logger|planner|organi[sz]er|list|database|collection|inventory|app|directory|catalogue?)(?!\p{L})/iu.exec(
      lang === 'en' ? prompt : '',
    )?.[1];
  const after = new RegExp(`(?<!\\p{L})${about[lang]}(.{2,60})`, 'iu').exec(prompt)?.[1]?.replace(stop, '');
  // “Fishing log species length weight” lists fields after the word.
  const raw = ((after && wordRun(after, lang).length < 2 ? after : null) ?? before ?? '')
    .replace(
      /^(?:(?:a|an|the|my|our|simple|nice|small|good|great|modern|personal|little|build|make|create|me|web|mobile|cool|basic)\s+)+/iu,
      '',
    )
    .trim();
  const plain =
    /^(?:app|simple|web|something|thing|things|stuff|it|tool|etwas|algo|cosas|choses)?$/iu.test(raw) ||
    !/\p{L}{2}/u.test(raw);
  if (plain)
    return inLang('item/Items|Eintrag/Einträge|elemento/Elementos|élément/Éléments', lang).split('/') as [
      string,
      string,
    ];
  const plural = shortened(raw, 40);
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
  return samples.map((sample, index) => {
    const texts = sample.split(' / ').map((text) => text.trim());
    const row: Record<string, string | number | boolean> = {};
    const usual = kept.entry?.fields.split(' ').map((reference) => reference.split(':')[0]) ?? [];
    for (const [at, field] of kept.drafts.entries()) {
      // A sample's texts belong to the first text fields of the lexicon, wherever the prompt has put them.
      const textFields = usual.filter((id) => id && concepts[id]?.type === 'text');
      const place = at === 0 ? 0 : textFields.indexOf(field.concept ?? '');
      const value =
        field.type === 'text'
          ? (texts[place] ?? '')
          : valueFor(field, index, hashOf(prompt, `${index}/${at}`), due);
      if (value !== '') row[`f${at}`] = value;
    }
    return row;
  });
}

function valueFor(field: DraftField, index: number, chance: number, due: boolean): string | number | boolean {
  const concept = field.concept ? concepts[field.concept] : undefined;
  if (field.type === 'select') return field.options[index % field.options.length] ?? '';
  if (field.type === 'checkbox') return index % 3 === 2;
  if (field.type === 'rating') return 3 + (chance % 3);
  if (field.type === 'time') return ['08:00', '12:30', '17:00', '20:00'][index % 4] ?? '09:00';
  if (field.type === 'date') {
    const ahead = due || ['due', 'next', 'birthday', 'start', 'end'].includes(field.concept ?? '');
    return ahead ? `@+${[2, 6, 13, 24, 40][index % 5] ?? 3}` : `@-${index * 9 + (chance % 6)}`;
  }
  if (field.type === 'number' || field.type === 'currency') {
    const [low, high, step] = concept?.range ?? [2, 40, 1];
    const steps = Math.round((high - low) / step);
    return Math.round((low + (chance % (steps + 1)) * step) * 100) / 100;
  }
  return '';
}
