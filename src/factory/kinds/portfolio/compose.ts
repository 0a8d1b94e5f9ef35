import type { Compose, Draft } from '../../read/draft.ts';
import { contactOf } from '../../read/parts/facts.ts';
import { capitalised, shortened } from '../../read/parts/naming.ts';
import { type SiteTexts, sectionsOf } from '../../read/parts/sections.ts';
import { indexOfWords } from '../../read/parts/words.ts';

interface Content extends Omit<SiteTexts, 'list' | 'prices'> {
  readonly name: string;
  readonly tagline: string;
  readonly role: string;
  readonly contactText: string;
  readonly professions: readonly string[];
  readonly supposed: string;
}

/** Whose work it is, what they do, and the works, stations and skills that the prompt lists. */
export const compose: Compose<Content> = (draft, content) => {
  const { facts, quoted, lang } = draft;
  const works = content.sections[0]?.title ?? content.name;
  const sections = sectionsOf(draft, { ...content, list: works, prices: works });
  const role = professionOf(draft, content.professions);
  const [person] = facts.people;
  const place = facts.places[0]?.text ?? '';
  return {
    spec: {
      name: shortened(person?.text ?? (role === '' ? content.name : capitalised(role, lang)), 60),
      tagline: shortened(quoted[0]?.text ?? content.tagline, 160),
      features: ['print', 'dark'],
      sections,
      contact: contactOf(draft),
      copy: {
        role: [role === '' ? content.role : capitalised(role, lang), place]
          .filter(Boolean)
          .join(' · ')
          .slice(0, 200),
        contactText: contactText(draft) || content.contactText,
      },
    },
    assumptions: sections.length > 0 ? [] : [content.supposed],
  };
};

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
