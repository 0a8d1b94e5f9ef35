import type { Compose, Draft, Phrase } from '../../read/draft.ts';
import { entityOf, featuresFor, type PlannedField } from '../../read/parts/fields.ts';
import { freeLists, wholeItem } from '../../read/parts/lists.ts';
import { capitalised, named, titled } from '../../read/parts/naming.ts';
import { firstSaid, indexOfWords, tokensIn } from '../../read/parts/words.ts';
import { fold } from '../../read/phrases.ts';

/** Keys of the fields that a thing is called by; an invoice goes by its number, a trip by its place. */
const nameKeys: ReadonlySet<string> = new Set(['what', 'name', 'title', 'task', 'machine']);

interface Known {
  readonly id: string;
  /** Base forms that mean it. */
  readonly words: readonly string[];
  readonly singular: string;
  readonly plural: string;
  /** What an app for it is called, where that is not made of its words. */
  readonly name?: string;
  /** Those of its words that say what is done, and are no word for one entry: nobody adds a shopping. */
  readonly activities?: readonly string[];
  readonly layout?: string;
  /** Keys of `fields`. */
  readonly fields: readonly string[];
}

interface Content {
  /** Names by variant, and the one where nothing is known. */
  readonly collections: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly name: string;
  readonly tagline: string;
  readonly entry: { readonly singular: string; readonly plural: string };
  /** The labels of a thing of which nothing is known. */
  readonly label: string;
  readonly notes: string;
  readonly done: string;
  readonly usual: string;
  readonly general: string;
  readonly fields: Readonly<Record<string, PlannedField>>;
  readonly entities: readonly Known[];
}

/** The fields are those that the prompt lists, else those of a thing that we know, else a name and notes. */
export const compose: Compose<Content> = (asked, content) => {
  const found = knownThing(asked, content.entities);
  const list = found?.thing.layout === 'checklist' ? null : listThing(asked, content.entities);
  const match = list ?? found;
  const draft = listsThings(asked, match?.thing, content) ? { ...asked, fields: [] } : asked;
  const known = match?.thing ?? null;
  const entries = entriesOf(draft);
  const variant =
    draft.variant ||
    known?.layout ||
    (entries.length > 0 && draft.fields.length === 0 ? 'checklist' : 'table');
  // A reading list keeps books, not reading lists.
  const collection = draft.subject && isCollection(draft.subject, draft.lang, content.collections);
  const own = draft.subject && !collection ? headNoun(draft.subject, draft) : null;
  const noun = match?.whole || match?.several || collection ? known : own;
  const thing = noun ?? content.entry;
  const entity = entityOf(
    inSentence(thing.singular, draft),
    inSentence(thing.plural, draft),
    withDone(fieldsOf(draft, known, content, entries.length > 0), variant, content),
  );
  const [first] = entity.fields;
  return {
    spec: {
      variant,
      name:
        match?.whole && known?.name
          ? known.name
          : nameOf(noun ? draft : unchanged(draft), known, variant, content),
      tagline: noun ? content.tagline.replace('{things}', () => entity.plural).slice(0, 160) : '',
      entity,
      features: featuresFor(entity, [
        'search',
        'filter',
        'sort',
        'totals',
        'chart',
        'csv',
        'due',
        'undo',
        'print',
        'dark',
      ]),
      seed: first?.type === 'text' ? entries.slice(0, 40).map((entry) => ({ f0: entry.slice(0, 300) })) : [],
    },
    assumptions:
      draft.fields.length > 0 || entries.length > 0 ? [] : [known ? content.usual : content.general],
  };
};

interface Match {
  readonly thing: Known;
  /** The subject is called like the thing, or like an app for it: nothing that it says gets lost. */
  readonly whole: boolean;
  /** Several of its words do: a blood pressure is kept as readings. */
  readonly several: boolean;
}

/** The thing that the head of the subject means, or that two or more of its words do; the longest phrase wins. */
function knownThing(draft: Draft, entities: readonly Known[]): Match | null {
  const { subject } = draft;
  if (!subject) return null;
  const tokens = tokensIn(draft, subject);
  let best: (Match & { readonly length: number }) | null = null;
  for (const thing of entities)
    for (const phrase of thing.words) {
      const length = phrase.split(' ').length;
      const meant =
        meansHead(subject, phrase) ||
        meansHead(subject, thing.plural.toLowerCase()) ||
        (length > 1 && indexOfWords(tokens, phrase) >= 0);
      const whole =
        phrase === subject.text.toLowerCase() ||
        phrase === subject.singular.toLowerCase() ||
        phrase === subject.head;
      if (meant && (!best || length > best.length))
        best = {
          thing,
          whole: whole && !hasMore(subject, phrase) && isCalled(thing, phrase),
          several: length > 1,
          length,
        };
    }
  return best;
}

/** What a checklist says itself that it is of, whatever it is for: `packing list for Japan`, `lista della spesa`. */
function listThing({ variant, tokens, subject, lists }: Draft, entities: readonly Known[]): Match | null {
  if (variant !== 'checklist') return null;
  const last = Math.min(...[subject?.end, lists[0]?.start].map((at) => at ?? Number.POSITIVE_INFINITY));
  const kept = entities.filter(({ layout }) => layout === 'checklist');
  const before = tokens.filter(({ end }) => end <= last);
  const thing = firstSaid(before, kept);
  return thing && { thing, whole: false, several: false };
}

/** Behind the colon of a checklist stands what is on it, unless one of that is a field as we know them. */
function listsThings(
  { variant, lists, fields, prompt }: Draft,
  thing: Known | undefined,
  { fields: known }: Content,
): boolean {
  const [list] = lists;
  const labels = Object.values(known).map(({ label }) => fold(label));
  return (
    variant === 'checklist' &&
    thing?.layout === 'checklist' &&
    lists.length === 1 &&
    /:\s*$/.test(prompt.slice(0, list?.start)) &&
    list?.items.every(({ options }) => options.length === 0) === true &&
    !fields.some(({ label }) => labels.includes(fold(label)))
  );
}

/** What one entry is called, where the prompt writes its plural: `pedal` of `guitar pedals`; else null. */
function headNoun({ start, end, head }: Phrase, { tokens, lang }: Draft): Content['entry'] | null {
  const within = tokens.filter((token) => token.start >= start && token.end <= end);
  const noun = within.find(({ pos, lower, lemma }) => pos === 'noun' && lemma === head && lower !== head);
  const cased = (word: string) => (lang === 'de' ? capitalised(word, lang) : word);
  return noun ? { singular: cased(noun.lemma), plural: cased(noun.lower) } : null;
}

const meansHead = ({ head, text, singular }: Phrase, phrase: string): boolean =>
  [head.toLowerCase(), text.toLowerCase(), singular.toLowerCase()].includes(phrase);

/** A stamp is no mere piece of a collection. */
const isCalled = ({ singular, name, activities }: Known, phrase: string): boolean =>
  name !== undefined || singular.toLowerCase() === phrase || activities?.includes(phrase) === true;

/** Whether the subject says more than the phrase: `library book` more than `book`. */
const hasMore = ({ singular }: Phrase, phrase: string): boolean =>
  singular.split(' ').length > phrase.split(' ').length;

/** What is listed beside the fields: the first entries, in the words of the prompt. */
const entriesOf = (draft: Draft): string[] =>
  freeLists(draft).flatMap(({ items }) =>
    items.map((item) => capitalised(wholeItem(draft, item), draft.lang)),
  );

/** A draft whose subject is written as in the prompt, as it may have no plural; a compound is whole again: `Impfbuch`. */
function unchanged(draft: Draft): Draft {
  const { subject, tokens } = draft;
  if (!subject) return draft;
  const compound = tokens.find(({ start, end }) => start === subject.start && end > subject.end);
  const text = compound?.text ?? subject.text;
  return { ...draft, subject: { ...subject, text, singular: text, plural: text } };
}

/** `Invoice Tracker`; a thing with a usual word of its own is called by that. */
function nameOf(
  draft: Draft,
  known: Known | null,
  variant: string,
  { collections, names, name }: Content,
): string {
  if (draft.subject && isCollection(draft.subject, draft.lang, collections))
    return titled(draft.subject.text, draft.lang);
  const pattern = names[variant] ?? names['table'] ?? '';
  if (draft.subject) return named(draft, pattern, name);
  if (!known) return name;
  const phrase = {
    singular: known.singular,
    plural: known.plural,
    text: known.singular,
    head: known.singular,
    start: 0,
    end: 0,
  };
  return named({ ...draft, subject: phrase }, pattern, titled(known.plural, draft.lang));
}

/** Whether a subject says itself that it is a list: `reading list`, `Leseliste`, `lista de libros`. */
function isCollection({ text }: Phrase, lang: Draft['lang'], collections: readonly string[]): boolean {
  const words = text.toLocaleLowerCase(lang).split(' ');
  if (lang === 'de') return collections.some((word) => words.at(-1)?.endsWith(word));
  return collections.includes((lang === 'en' ? words.at(-1) : words[0]) ?? '');
}

/** Nouns stand in small letters within a sentence, but in German. */
const inSentence = (text: string, { lang, tokens }: Draft): string => {
  if (lang === 'de' || tokens.some((token) => token.pos === 'name' && text.includes(token.text))) return text;
  return text === text.toUpperCase() ? text : text.toLocaleLowerCase(lang);
};

function fieldsOf(
  draft: Draft,
  known: Known | null,
  content: Content,
  listsEntries: boolean,
): readonly PlannedField[] {
  const usual = (known?.fields ?? []).flatMap((key) => content.fields[key] ?? []);
  const title: PlannedField = usual[0] ?? { label: content.label, type: 'text' };
  if (draft.fields.length > 0) {
    const fields = draft.fields.map((field) => completed(field, usual, content));
    return isNamed(draft, known, fields, content) ? fields : [title, ...fields];
  }
  if (known) return usual;
  return [title, ...(listsEntries ? [] : [{ label: content.notes, type: 'longtext' as const }])];
}

/**
 * Whether one of the fields says which thing it is: by the word for the thing, by one that things are called by, or by
 * being the first and a text. Of a thing that has a name of its own, such a text is a quality: the grape of a wine.
 */
function isNamed(
  { subject, lang }: Draft,
  known: Known | null,
  fields: readonly PlannedField[],
  { entities, fields: all, label }: Content,
): boolean {
  const [first] = fields;
  const key = known?.fields[0] ?? 'name';
  if (!fields.some(({ type }) => type === 'text' || type === 'longtext')) return false;
  if (!nameKeys.has(key) || first?.type === 'date' || first?.type === 'time') return true;
  const own = [known?.singular ?? '', known?.plural ?? ''].map(fold);
  const titles = [label, ...entities.map((thing) => all[thing.fields[0] ?? '']?.label ?? '')].map(fold);
  const head = fold(subject?.head ?? '');
  const words = [head, ...own, ...titles, ...(known?.words ?? []).map(fold)].filter((word) => word !== '');
  const isName = ({ label: text, type }: PlannedField) =>
    type !== 'date' &&
    fold(text)
      .split(/[^\p{L}]+/u)
      .some((part) => words.some((word) => part === word || (lang === 'de' && part.startsWith(word))));
  if (fields.some(isName)) return true;
  return first?.type === 'text' && !(key !== 'what' && own.includes(head));
}

/**
 * A listed field with what we know of the field of that label: its type where the prompt gives no options, and how its
 * numbers are summed up. Numbers of which nothing is known are not added up.
 */
function completed(field: PlannedField, usual: readonly PlannedField[], { fields }: Content): PlannedField {
  const { label, options } = field;
  const same = ({ label: other }: PlannedField) => other.toLowerCase() === label.toLowerCase();
  const own = usual.find(same);
  // Options that fit one thing are made up for another.
  const twin = own ?? Object.values(fields).find((other) => same(other) && other.type !== 'select');
  const known = options?.length || !twin ? field : twin;
  return {
    label,
    type: known.type,
    options: known.options ?? [],
    required: field.required,
    total: known.type === 'number' ? (twin?.type === 'number' ? twin.total : 'none') : undefined,
  };
}

/** On a checklist there is something to tick. */
const withDone = (
  fields: readonly PlannedField[],
  variant: string,
  { done }: Content,
): readonly PlannedField[] =>
  variant !== 'checklist' || fields.some(({ type }) => type === 'checkbox')
    ? fields
    : [...fields, { label: done, type: 'checkbox' }];
