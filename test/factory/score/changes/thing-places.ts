import { hasFactIn } from '../facts.ts';
import type { PromptEntry, Spellings } from '../prompt-set.ts';
import { factSort, typedAs } from './fact-sorts.ts';
import { placeField } from './field-places.ts';
import { newSection, withMark } from './list-places.ts';
import type { PageForm } from './page-form.ts';

/**
 * Puts facts that belong together into one thing of the app: the one that has the first of them, else a new one.
 * @returns false where the form has no place for such things
 */
export function placeTogether(form: PageForm, group: readonly Spellings[], entry: PromptEntry): boolean {
  const facts = group.map((fact) => typedAs(fact, entry.prompt));
  if (form.offers('/questions+')) return question(form, facts, entry);
  if (form.offers('/formula/inputs+')) return input(form, facts, entry);
  if (form.offers('/seed+')) return example(form, facts, entry);
  if (form.offers('/sections+')) return item(form, facts, entry);
  const together = facts.join(' ');
  if (form.offers('/grid/rows')) {
    if (form.text('/variant') === 'month') return withMark(form, together);
    return form.type('/grid/rows', [...others(form, '/grid/rows', facts, entry), together]);
  }
  return (
    form.offers('/choices') && form.type('/choices', [...others(form, '/choices', facts, entry), together])
  );
}

/** The lines of a box without the one that says the first of the facts already. */
const others = (form: PageForm, path: string, [first = '']: readonly string[], { lang }: PromptEntry) =>
  form
    .list(path)
    .map(String)
    .filter((line) => !hasFactIn({ texts: [line], numbers: [] }, first, lang));

/** The item of a list that has a fact among its own texts, by its place. */
function itemWith(form: PageForm, list: string, fact: string, { lang }: PromptEntry): string | null {
  const index = form.list(list).findIndex((one) => {
    const texts = Object.values(one as object).filter((value) => typeof value === 'string');
    return hasFactIn({ texts, numbers: [] }, fact, lang);
  });
  return index < 0 ? null : `${list}/${index}`;
}

function question(form: PageForm, facts: readonly string[], entry: PromptEntry): boolean {
  const [prompt = '', answer = '', ...wrong] = facts;
  const at = itemWith(form, '/questions', prompt, entry) ?? form.add('/questions');
  if (at === null) return false;
  if (form.text(`${at}/prompt`) === '' && !form.type(`${at}/prompt`, prompt)) return false;
  return form.type(`${at}/answer`, answer) && (wrong.length === 0 || form.type(`${at}/wrong`, wrong));
}

/** An input with what it begins with and what it is counted in. */
function input(form: PageForm, facts: readonly string[], entry: PromptEntry): boolean {
  const label = facts.find((fact) => factSort(fact) === 'text');
  if (label === undefined) return false;
  const known = itemWith(form, '/formula/inputs', label, entry);
  if (known === null && !placeField(form, { label: [label], type: ['number'] }, null)) return false;
  const at = known ?? `/formula/inputs/${form.list('/formula/inputs').length - 1}`;
  const rest = facts.filter((fact) => fact !== label);
  return rest.every((fact) =>
    factSort(fact) === 'number'
      ? form.type(`${at}/value`, fact.replace(',', '.'))
      : form.type(`${at}/unit`, fact),
  );
}

/** An entry, its facts in the fields that can hold them. */
function example(form: PageForm, facts: readonly string[], entry: PromptEntry): boolean {
  const row = itemWith(form, '/seed', facts[0] ?? '', entry) ?? form.add('/seed');
  if (row === null) return false;
  const free = form
    .list('/entity/fields')
    .map((field) => field as { key: string; type: string; options?: string[] });
  return facts.every((fact) => {
    if (
      hasFactIn(
        { texts: Object.values(form.value(row) as object).map(String), numbers: [] },
        fact,
        entry.lang,
      )
    )
      return true;
    const sort = factSort(fact);
    const at = free.findIndex(({ type, options = [] }) => holds(type, options, sort, fact));
    const [field] = at < 0 ? [] : free.splice(at, 1);
    if (!field) return false;
    const place = `${row}/${field.key}`;
    return field.type === 'select'
      ? form.choose(place, optionFor(field.options ?? [], fact))
      : form.type(place, fact);
  });
}

const optionFor = (options: readonly string[], fact: string) =>
  options.find((option) => option.toLowerCase() === fact.toLowerCase()) ?? fact;

function holds(type: string, options: readonly string[], sort: string, fact: string): boolean {
  if (type === 'select') return options.some((option) => option.toLowerCase() === fact.toLowerCase());
  if (type === 'number' || type === 'currency' || type === 'rating') return sort === 'number';
  if (type === 'date' || type === 'time') return sort === type;
  return ['text', 'longtext', 'email', 'phone', 'url'].includes(type) && sort !== 'date' && sort !== 'time';
}

/** An item of a section: its first words are its title, a time or a number stands beside it. */
function item(form: PageForm, facts: readonly string[], entry: PromptEntry): boolean {
  const title = facts.find((fact) => factSort(fact) === 'text') ?? facts[0] ?? '';
  const sections = form.list('/sections').map((_, index) => `/sections/${index}`);
  const sorts = facts.map(factSort);
  const type = sorts.includes('time') ? 'schedule' : sorts.includes('number') ? 'prices' : 'items';
  const known = sections.flatMap((section) => itemWith(form, `${section}/items`, title, entry) ?? [])[0];
  const home =
    sections.find((section) => form.text(`${section}/type`) === type) ?? newSection(form, entry, type);
  const at = known ?? (home === null ? null : form.add(`${home}/items`));
  if (at === null || (known === undefined && !form.type(`${at}/title`, title))) return false;
  return facts.every((fact) => fact === title || beside(form, at, fact));
}

function beside(form: PageForm, at: string, fact: string): boolean {
  const sort = factSort(fact);
  const places =
    sort === 'number' ? ['price', 'meta', 'text'] : sort === 'text' ? ['text'] : ['meta', 'text'];
  return places.some((place) => {
    const path = `${at}/${place}`;
    if (sort === 'text') return form.type(path, [form.text(path), fact].filter(Boolean).join(' · '));
    return (form.text(path) === '' || sort === 'number') && form.type(path, fact);
  });
}
