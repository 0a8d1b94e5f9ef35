import type { Lang, SeedRow } from '../spec.ts';
import { sampleText } from './content/samples.ts';
import type { Kept } from './entity.ts';
import type { DraftField } from './item.ts';
import { concepts } from './lexicon/concepts.ts';
import { capitalised, hashOf, inLang } from './text.ts';
import { inLabelUnit } from './units.ts';

/** Entries to begin with, so that the app can be judged at a glance. Values are always the same for a prompt. */
export function seedFor(kept: Kept, prompt: string, lang: Lang, due: boolean): SeedRow[] {
  const fits = kept.entry !== null && !kept.foreign;
  if (!fits && !kept.stated && !kept.named) return [];
  const samples = fits && kept.entry ? inLang(kept.entry.seeds, lang).split(';') : ['', '', ''];
  // Beside a date to come, a plain date is of what has been.
  const coming = due && !kept.drafts.some((field) => ahead.has(field.concept ?? ''));
  return samples.map((sample, index) => {
    const parts = sample.split(' / ').map((text) => text.trim());
    const texts = parts.filter((part) => !fact.test(part));
    const facts = new Map(
      parts.flatMap((part) => (fact.test(part) ? [part.split('=', 2) as [string, string]] : [])),
    );
    const row: Record<string, string | number | boolean> = {};
    const defaults = kept.entry?.fields.split(' ').map((reference) => reference.split(':')[0]) ?? [];
    for (const [at, field] of kept.drafts.entries()) {
      // A sample's texts belong to the first text fields of the lexicon, wherever the prompt has put them.
      const textFields = defaults.filter((id) => id && concepts[id]?.type === 'text');
      // “Dog name” in front of students is no name of a student.
      const itself =
        at === 0 && isDefault(kept, field) && (field.concept !== 'name' || defaults.includes('name'));
      const place = itself ? 0 : textFields.indexOf(field.concept ?? '');
      const value =
        field.type === 'text'
          ? texts[place] || sampleOf(kept, field, at, index, lang)
          : (factFor(field, facts.get(field.concept ?? '')) ??
            valueFor(
              field,
              index,
              hashOf(prompt, `${index}/${at}`),
              coming,
              at === 0,
              kept.layout === 'checklist',
            ));
      if (value !== '') row[`f${at}`] = value;
    }
    return row;
  });
}

/** What the prompt puts on its list, and nothing that it does not say. */
export const seedOf = ({ entries, drafts }: Kept): SeedRow[] =>
  entries.map((entry) =>
    Object.fromEntries(
      drafts.flatMap(({ type }, at): [string, string | boolean][] => {
        if (at === 0) return [['f0', entry]];
        return type === 'checkbox' ? [[`f${at}`, false]] : [];
      }),
    ),
  );

/** Whether the first field is what the examples of the lexicon begin with: “White” of a game is no title. */
const isDefault = (kept: Kept, { concept, label }: DraftField) =>
  /^(?:\p{L}*(?:name|titel|title)|album|álbum|título|titre|nombre|nom)$/iu.test(label) ||
  (concept !== null && !/\s(?:name|nombre|nom)$/iu.test(label)) ||
  label.toLowerCase().startsWith(kept.entity.singular.toLowerCase());

/** What the lexicon has no text for: the first field numbers the entries, “Firing 1”. */
function sampleOf(kept: Kept, field: DraftField, at: number, index: number, lang: Lang): string {
  const { singular } = kept.entity;
  const itself = at === 0 && /^(?:name|title|what|task)$/u.test(field.concept ?? '');
  const numbered = `${capitalised(singular, lang)} ${index + 1}`;
  if (itself) return numbered;
  return sampleText(field.label, index, lang) || (at === 0 ? numbered : '');
}

/** What is true of a sample, such as the year of a film: `year=2016`. */
const fact = /^[a-z]+=/;

function factFor(field: DraftField, stated: string | undefined): string | number | null {
  if (stated === undefined) return null;
  // Rowing has no sets.
  if (stated === '') return '';
  if (field.type === 'number' || field.type === 'currency') return Number(stated);
  return field.type !== 'select' || field.options.includes(stated) ? stated : null;
}

const often = /^(?:times|doses|pills|mal|dosen|veces|dosis|fois|servings) /iu;
const behind = new Set(['lastwatered', 'lastdone']);
const ahead = new Set(['due', 'next', 'birthday', 'start', 'end', 'on']);

function valueFor(
  field: DraftField,
  index: number,
  chance: number,
  due: boolean,
  first: boolean,
  ticked: boolean,
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
    // Nobody packs thirty T-shirts or takes thirty pills a day.
    const few =
      (ticked && field.concept === 'quantity') || often.test(field.label) ? ([1, 4, 1] as const) : null;
    const [low, high, step] = few ?? concept?.range ?? [2, 40, 1];
    const steps = Math.round((high - low) / step);
    return inLabelUnit(Math.round((low + (chance % (steps + 1)) * step) * 100) / 100, field.label);
  }
  return '';
}
