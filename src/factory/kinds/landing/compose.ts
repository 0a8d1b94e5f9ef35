import type { Compose, Draft } from '../../read/draft.ts';
import { contactOf } from '../../read/parts/lists.ts';
import { capitalised, shortened, titled } from '../../read/parts/naming.ts';
import { type SiteTexts, sectionsOf } from '../../read/parts/sections.ts';
import { firstSaid } from '../../read/parts/words.ts';

interface Trade {
  readonly id: string;
  readonly words: readonly string[];
  readonly kicker: string;
  readonly tagline: string;
  readonly list: string;
}

interface Content extends SiteTexts {
  readonly name: string;
  readonly tagline: string;
  /** The text of the large button. */
  readonly action: string;
  readonly trades: readonly Trade[];
  readonly supposed: string;
}

/** What a business offers at which price, when it is open, where it is and how to reach it: as the prompt says it. */
export const compose: Compose<Content> = (draft, content) => {
  const { facts, subject, lang } = draft;
  const trade = firstSaid(draft.tokens, content.trades);
  const texts = { ...content, list: trade?.list ?? content.list };
  const sections = sectionsOf(draft, texts);
  const places = facts.places.slice(0, 1).map(({ text }) => text);
  const kicker = [trade?.kicker ?? (subject ? titled(subject.text, lang) : ''), ...places];
  return {
    spec: {
      name: shortened(subject ? titled(subject.text, lang) : (trade?.kicker ?? content.name), 60),
      tagline: shortened(draft.quoted[0]?.text ?? trade?.tagline ?? content.tagline, 160),
      features: ['dark'],
      sections,
      hours: facts.hours
        .slice(0, 8)
        .map(({ days, time }) => ({ days: capitalised(days, lang).slice(0, 40), time: time.slice(0, 40) })),
      contact: contactOf(draft),
      copy: {
        kicker: kicker.filter(Boolean).join(' · ').slice(0, 200),
        action: content.action,
        ...contactText(draft),
      },
    },
    assumptions: sections.length > 0 ? [] : [content.supposed],
  };
};

/** Further ways to reach it, and what is quoted beside the tagline. */
function contactText({ facts, quoted }: Draft): { contactText?: string } {
  const further = [
    ...facts.emails.slice(1),
    ...facts.phones.slice(1),
    ...facts.addresses.slice(1),
    ...facts.urls,
  ];
  const text = [...further, ...quoted.slice(1)].map((span) => span.text).join(' · ');
  return text === '' ? {} : { contactText: text.slice(0, 200) };
}
