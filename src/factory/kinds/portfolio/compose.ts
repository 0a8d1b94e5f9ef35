import type { Compose, Draft, Span, Token } from '../../read/draft.ts';
import { contactOf } from '../../read/parts/lists.ts';
import { capitalised, shortened } from '../../read/parts/naming.ts';
import { type SiteTexts, sectionsOf } from '../../read/parts/sections.ts';
import { indexOfWords } from '../../read/parts/words.ts';

interface Content extends Omit<SiteTexts, 'list'> {
  readonly name: string;
  readonly tagline: string;
  readonly role: string;
  readonly contactText: string;
  readonly professions: readonly string[];
  readonly supposed: string;
}

/** Whose work it is, what they do, and the works, stations and skills that the prompt lists. */
export const compose: Compose<Content> = (draft, content) => {
  const { facts, lang } = draft;
  const works = content.sections[0]?.title ?? content.name;
  const person = whereNamed(draft);
  const role = professionOf(draft, content.professions) || professionBeside(draft, person);
  const isPerson = (text: string) =>
    (person !== undefined && text.includes(person.text)) || (role !== '' && text.startsWith(role));
  const lists = draft.lists
    .map((list) => ({ ...list, items: list.items.filter(({ text }) => !isPerson(text)) }))
    .filter(({ items }) => items.length > 0);
  const sections = sectionsOf({ ...draft, lists }, { ...content, list: works });
  const name = draft.name ?? person?.text ?? '';
  const places = facts.places.map(({ text }) => text).filter((text) => text !== name);
  return {
    spec: {
      name: shortened(person?.text ?? (role === '' ? content.name : capitalised(role, lang)), 60),
      tagline: shortened(draft.quoted[0]?.text ?? content.tagline, 160),
      features: ['print', 'dark'],
      sections,
      contact: contactOf(draft),
      copy: {
        role: [role === '' ? content.role : capitalised(role, lang), ...places]
          .filter(Boolean)
          .join(' · ')
          .slice(0, 200),
        contactText: contactText(draft) || content.contactText,
      },
    },
    assumptions: sections.length > 0 ? [] : [content.supposed],
  };
};

/** Where the prompt has the name of the site. */
function whereNamed({ name, prompt }: Draft): Span | undefined {
  const start = name === null ? -1 : prompt.indexOf(name);
  return start < 0 || name === null ? undefined : { text: name, start, end: start + name.length };
}

/** What stands beside the name of a person: `Jonas Wirth, furniture maker in Graz`, `a stone carver, Maëlle Cotonnec`. */
function professionBeside(draft: Draft, person: Span | undefined): string {
  if (!person) return '';
  const { tokens, prompt } = draft;
  const content = ({ pos }: Token) => pos === 'noun' || pos === 'adjective';
  const first = tokens.findIndex(({ start }) => start >= person.end);
  if (tokens[first]?.text === ',') {
    const behind = tokens.slice(first + 1).filter((_, at) => at < maxProfession);
    const skip = behind[0]?.pos === 'determiner' ? 1 : 0;
    const end = behind.findIndex((token, at) => at >= skip && !content(token));
    const words = behind.slice(skip, end < 0 ? behind.length : end);
    if (words.length > 0) return prompt.slice(words[0]?.start, words.at(-1)?.end);
  }
  const last = tokens.findLastIndex(({ end }) => end <= person.start);
  if (tokens[last]?.text !== ',') return '';
  const from = tokens.slice(0, last).findLastIndex(({ pos }) => pos === 'determiner');
  const words = tokens.slice(from + 1, last);
  return from >= 0 && words.length <= maxProfession ? prompt.slice(words[0]?.start, words.at(-1)?.end) : '';
}

/** In words. */
const maxProfession = 5;

/** What somebody does, with the adjectives in front: `wedding photographer`. */
function professionOf({ tokens }: Draft, professions: readonly string[]): string {
  const at = professions.map((word) => indexOfWords(tokens, word)).filter((index) => index >= 0);
  const head = Math.min(...at);
  if (at.length === 0) return '';
  let from = head;
  while (from > 0 && ['noun', 'adjective'].includes(tokens[from - 1]?.pos ?? '')) from--;
  return tokens
    .slice(from, head + 1)
    .map(({ text }) => text)
    .join(' ');
}

const contactText = ({ facts, quoted }: Draft): string =>
  [...facts.urls, ...facts.emails.slice(1), ...quoted.slice(1)]
    .map(({ text }) => text)
    .join(' · ')
    .slice(0, 200);
