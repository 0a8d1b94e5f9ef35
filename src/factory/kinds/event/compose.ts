import type { Compose, Draft, DraftDate } from '../../read/draft.ts';
import { timeOf } from '../../read/facts/times.ts';
import { allLists, contactOf, itemOf, wholeItem } from '../../read/parts/lists.ts';
import { capitalised, shortened, titled } from '../../read/parts/naming.ts';
import { indexOfWords, says } from '../../read/parts/words.ts';
import { fold } from '../../read/phrases.ts';
import type { Section } from '../../spec.ts';

interface Content {
  readonly name: string;
  readonly programme: string;
  readonly dress: string;
  readonly bring: string;
  readonly noDate: string;
  readonly noYear: string;
  readonly programmeWords: readonly string[];
  readonly bringWords: readonly string[];
  readonly dressWords: readonly string[];
  /** Words of somebody who waits for a day rather than inviting to it. */
  readonly waitWords: readonly string[];
  /** Days that are on the same date every year, by what they are called. */
  readonly feasts: Readonly<Record<string, readonly string[]>>;
}

/** When and where it is, what happens at which time on which day, and what guests should know. */
export const compose: Compose<Content> = (draft, content) => {
  const { facts, subject, lang, tokens } = draft;
  const waits = says(tokens, content.waitWords);
  // An invitation may name a feast for another day than its own.
  const [day, feast = ''] = (waits && feastIn(draft, content)) || [];
  const [date] = datesOf(draft, day);
  const time = facts.times[0]?.from ?? (waits ? '00:00' : '');
  const places = [...facts.places, ...facts.addresses].map(({ text }) => text);
  const place = places.filter(isNew).filter((text) => fold(text) !== fold(feast));
  const said = subject ? titled(subject.text, lang) : '';
  const about = said && capitalised([occasionFor(draft, said), said].filter(Boolean).join(': '), lang);
  return {
    spec: {
      name: shortened(titled(feast, lang) || properName(draft) || about || content.name, 60),
      tagline: taglineOf(draft, place),
      features: ['undo', 'dark'],
      sections: [
        ...listSections(draft, content),
        ...toldSections(draft, content),
        ...laterDates(draft, content),
      ].slice(0, 12),
      contact: contactOf(draft),
      copy: {
        day: date?.value ?? '@+60',
        time: time === '' ? '18:00' : time,
        ...(place.length > 0 ? { place: capitalised(place.join(', '), lang).slice(0, 200) } : {}),
        ...(waits ? { rsvp: 'no' } : {}),
      },
    },
    assumptions: date ? (date.value.startsWith('@') ? [content.noYear] : []) : [content.noDate],
  };
};

/** The day and name of the feast that a prompt says; “Christmas party” and “festa di Natale” are on a day of their own. */
const feastIn = ({ tokens }: Draft, { feasts }: Content): readonly [day: string, feast: string] | undefined =>
  Object.entries(feasts)
    .flatMap(([day, words]) => words.map((word) => [day, word] as const))
    .find(([, word]) => {
      const at = indexOfWords(tokens, word);
      const next = tokens[at + word.split(' ').length]?.pos ?? '';
      return (
        at >= 0 && !/noun|name/.test(next) && !/^(?:d[aeio]s?|d[eo]l|von)$/.test(tokens[at - 1]?.lower ?? '')
      );
    });

/** What stands before the one person that it is for: `Birthday Party` of “a birthday party for Mia”; empty: it is not for one. */
function occasionFor({ tokens, facts, lang }: Draft, person: string): string {
  const at = tokens.findIndex(({ text, pos }) => text === person && pos === 'name');
  if (facts.places.some(({ text }) => text.includes(person))) return '';
  const words: string[] = [];
  for (const { pos, text } of tokens.slice(0, Math.max(at, 0)).reverse()) {
    if (pos === 'noun' || (pos === 'adjective' && words.length > 0)) words.unshift(text);
    else if (words.length > 0 || pos !== 'preposition') break;
  }
  return titled(words.join(' '), lang);
}

/** Two or more capitalised words side by side that are no place, address or date, before anything is listed. */
function properName({ tokens, facts, lists, lang }: Draft): string {
  if (lang === 'de') return '';
  const taken = [...facts.places, ...facts.addresses, ...facts.dates, ...lists];
  const run: string[] = [];
  for (const [at, { text, pos, start, end }] of tokens.entries()) {
    const free = pos === 'name' && !taken.some((span) => start >= span.start && end <= span.end);
    if (free && (run.length > 0 || at > 0)) run.push(text);
    else if (run.length > 1) break;
    else run.length = 0;
  }
  return run.length > 1 ? run.join(' ') : '';
}

const isNew = (text: string, at: number, all: readonly string[]) =>
  !all.slice(0, at).some((other) => other.includes(text));

/** A quoted text, else where it is, and the day as the prompt writes it where that has no year. */
function taglineOf({ quoted, facts, lang }: Draft, place: readonly string[]): string {
  const [date] = facts.dates;
  const day = date?.value.startsWith('@') ? date.text : '';
  const [time] = facts.times;
  const hours = time && time.to !== '' ? timeOf(time) : '';
  const stated = quoted[0]?.text ?? [day, hours, place[0] ?? ''].filter(Boolean).join(' · ');
  return shortened(capitalised(stated, lang), 160);
}

/** The dates, with the year that stands elsewhere in the prompt: `Fair 2027, Saturday 16 October`. */
function datesOf({ facts, quantities }: Draft, day?: string): readonly Pick<DraftDate, 'value'>[] {
  const year = quantities.find(({ value, unit }) => unit === '' && value >= 2020 && value < 2100)?.value;
  const dates = facts.dates.length > 0 || !day ? facts.dates : [{ value: day }];
  return dates.map((date) =>
    year !== undefined && /^@\d\d-\d\d$/.test(date.value)
      ? { ...date, value: `${year}-${date.value.slice(1)}` }
      : date,
  );
}

/** What to wear and to bring, where only one thing is said of it: `dress code: something sparkly`. */
function toldSections(draft: Draft, { bring, bringWords, dress, dressWords }: Content): Section[] {
  const parts = draft.prompt.split(/(?<=[.!?;])\s+|,\s/u);
  const stated = (words: readonly string[]) =>
    parts.flatMap((part) => {
      const [label = '', text = ''] = part.split(/\s?[:=]\s|\s[–-]\s/u, 2);
      const says = words.some((word) => fold(label).endsWith(fold(word)));
      const listed = draft.lists.some(({ text: whole }) => whole.includes(text));
      return says && text !== '' && !listed ? [capitalised(text.replace(/[.!;]$/, ''), draft.lang)] : [];
    });
  const to = (title: string, texts: readonly string[]): Section[] =>
    texts.length > 0 ? [{ type: 'text', title, text: texts.join(', ').slice(0, 800), items: [] }] : [];
  return [...to(dress, stated(dressWords)), ...to(bring, stated(bringWords))];
}

/** What is listed: the programme, what to bring, what to wear, prices. */
function listSections(
  draft: Draft,
  { programme, programmeWords, bring, bringWords, dress, dressWords }: Content,
): Section[] {
  const lists = allLists(draft).map((list): Section => {
    const to = (title: string): Section => ({
      type: 'text',
      title,
      text: list.items
        .map((item) => wholeItem(draft, item))
        .join(', ')
        .slice(0, 800),
      items: [],
    });
    if (bringWords.includes(list.intro)) return to(bring);
    if (dressWords.includes(list.intro)) return to(dress);
    const items = list.items.map((item) => itemOf(draft, item)).slice(0, 24);
    const type = items.some(({ meta }) => meta) || programmeWords.includes(list.intro) ? 'schedule' : 'items';
    return {
      type,
      title: type === 'schedule' ? programme : capitalised(list.intro || programme, draft.lang),
      items,
    };
  });
  return lists;
}

/** Further days, such as the last one or that until which to answer, as the prompt writes them. */
const laterDates = ({ facts, lang }: Draft, { programme }: Content): Section[] =>
  facts.dates.length < 2
    ? []
    : [
        {
          type: 'timeline',
          title: programme,
          items: facts.dates.map(({ text }) => ({ title: capitalised(text, lang) })),
        },
      ];
