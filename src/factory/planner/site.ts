import type { AppSpec, Lang, Section, SectionItem } from '../spec.ts';
import { type Business, businesses } from './content/business.ts';
import { events, pageTexts, roles } from './content/texts.ts';
import { contactIn, dayIn, hoursIn, pricesIn, timeIn } from './site-facts.ts';
import { capitalised, inLang, shortened, words } from './text.ts';

export type SiteParts = Pick<AppSpec, 'sections' | 'hours' | 'contact' | 'copy' | 'tagline'> & {
  /** Something is only an example and must be replaced. */
  readonly examples: readonly ('prices' | 'hours' | 'texts' | 'date' | 'nextDay')[];
};

const patterns = businesses.map((business) => ({ business, pattern: words(business.words) }));

/** The business that a prompt is about, and where it is mentioned. The most special one wins, then the first. */
export function businessIn(
  prompt: string,
): { readonly business: Business; readonly at: number; readonly text: string } | null {
  for (const { business, pattern } of patterns) {
    const match = pattern.exec(prompt);
    if (match) return { business, at: match.index / prompt.length, text: match[0] };
  }
  return null;
}

/** `a~b~c;…` as items, the parts being title, text and one more. */
function items(texts: string, lang: Lang, third: 'price' | 'meta'): SectionItem[] {
  return inLang(texts, lang)
    .split(';')
    .map((line) => {
      const [title = '', text = '', more = ''] = line.split('~');
      return { title, ...(text ? { text } : {}), ...(more ? { [third]: more } : {}) };
    });
}

const fill = (texts: string, lang: Lang, name: string) => inLang(texts, lang).replaceAll('{name}', name);

/** The parts of a business's page; what the prompt gives stands in place of the examples. */
export function landingParts(prompt: string, name: string, lang: Lang, currency: string): SiteParts {
  const found = businessIn(prompt)?.business;
  const business = found ?? (businesses.at(-1) as Business);
  const stated = pricesIn(prompt, lang);
  const hours = hoursIn(prompt, lang);
  const price = (amount: string) =>
    new Intl.NumberFormat(lang, {
      style: 'currency',
      currency,
      minimumFractionDigits: /[.,]/.test(amount) ? 2 : 0,
    }).format(Number(amount.replace(',', '.')));
  const usual = items(business.items, lang, 'price').map((item) => ({
    ...item,
    ...(item.price ? { price: price(item.price) } : {}),
  }));
  const offers = stated.length > 0 ? stated : usual;
  const priced = offers.some((item) => item.price);
  const opens = !/saas|startup/.test(business.words);
  const sections: Section[] = [
    {
      type: priced && offers.length > 2 ? 'prices' : 'items',
      title: inLang(business.list, lang),
      items: offers,
    },
    { type: 'items', title: inLang(pageTexts.why, lang), items: items(pageTexts.whyItems, lang, 'price') },
    {
      type: 'text',
      title: inLang(pageTexts.about, lang),
      text: fill(pageTexts.aboutText, lang, name),
      items: [],
    },
  ];
  const usualHours = inLang(pageTexts.hours, lang)
    .split(';')
    .map((line) => ({ days: line.split('~')[0] ?? '', time: line.split('~')[1] ?? '' }));
  return {
    sections,
    hours: hours.length > 0 ? hours : opens ? usualHours : [],
    contact: contactIn(prompt),
    copy: {
      kicker: inLang(business.kicker, lang),
      action: inLang(opens ? pageTexts.visit : pageTexts.action, lang),
      contactText: inLang(pageTexts.contactText, lang),
    },
    tagline: inLang(business.tagline, lang),
    examples: [
      ...(stated.length === 0 && priced ? ['prices' as const] : []),
      ...(hours.length === 0 && opens ? ['hours' as const] : []),
      'texts',
    ],
  };
}

export function portfolioParts(prompt: string, lang: Lang): SiteParts {
  const role = roles.find(([source]) => words(source).test(prompt))?.[1];
  const works: Section = {
    type: 'items',
    title: inLang(pageTexts.works, lang),
    items: items(pageTexts.workItems, lang, 'meta'),
  };
  const path: Section = {
    type: 'timeline',
    title: inLang(pageTexts.path, lang),
    items: items(pageTexts.pathItems, lang, 'meta'),
  };
  const skills: Section = {
    type: 'tags',
    title: inLang(pageTexts.skills, lang),
    items: items(pageTexts.skillItems, lang, 'meta'),
  };
  const career = words('cv|resume|résumé|curriculum( vitae)?|currículum|lebenslauf').test(prompt);
  return {
    sections: career ? [path, skills, works] : [works, path, skills],
    hours: [],
    contact: contactIn(prompt),
    copy: {
      role: inLang(role ?? 'Portfolio|Portfolio|Portafolio|Portfolio', lang),
      contactText: inLang(pageTexts.contactText, lang),
    },
    tagline: inLang(pageTexts.portfolioLine, lang),
    examples: ['texts'],
  };
}

export function docsParts(prompt: string, name: string, lang: Lang): SiteParts {
  const sections = fill(
    pageTexts.docs,
    lang,
    name.replace(/^(?:FAQ|Ayuda|Aide) ?: | FAQ$| Help$|: Hilfe$/u, ''),
  )
    .split(';')
    .map((chapter): Section => {
      const [title = '', ...articles] = chapter.split('~');
      return {
        type: 'faq',
        title,
        items: articles.map((article) => ({
          title: article.split('=')[0] ?? '',
          text: article.split('=')[1] ?? '',
        })),
      };
    });
  const faq = words('faqs?|preguntas frecuentes|foire aux questions|häufige fragen').test(prompt);
  return {
    sections,
    hours: [],
    contact: contactIn(prompt),
    copy: { unfold: faq ? 'no' : 'yes' },
    tagline: inLang(pageTexts.docsLine, lang),
    examples: ['texts'],
  };
}

const venue: Record<Lang, RegExp> = {
  en: /(?<!\p{L})(?:in|at)\s+(?:the\s+)?(\p{Lu}[\p{L}’'-]*(?:\s+(?:of|the|\p{Lu}[\p{L}’'-]*)){0,4})/u,
  de: /(?<!\p{L})(?:in|im|am|auf)\s+(?:der\s+|dem\s+)?(\p{Lu}[\p{L}-]*(?:\s+\p{Lu}[\p{L}-]*){0,3})/u,
  es: /(?<!\p{L})en\s+(?:el\s+|la\s+)?(\p{Lu}[\p{L}-]*(?:\s+(?:de|del|la|\p{Lu}[\p{L}-]*)){0,4})/u,
  fr: /(?<!\p{L})(?:à|au|dans)\s+(?:la\s+|le\s+|l[’'])?(\p{Lu}[\p{L}-]*(?:\s+(?:de|du|la|\p{Lu}[\p{L}-]*)){0,4})/u,
};
const noPlace =
  /^(January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Blue|Green|Red|CSV|Sommer|Winter)/u;

/** Where something takes place, if the prompt says it. */
export function placeIn(prompt: string, lang: Lang): string | null {
  const place = contactIn(prompt).address ?? venue[lang].exec(prompt)?.[1];
  return place && !noPlace.test(place) ? shortened(capitalised(place, lang), 120) : null;
}

export function eventParts(
  prompt: string,
  lang: Lang,
): SiteParts & { readonly accent: string; readonly look: 'soft' | 'crisp' | 'editorial' } {
  const event = events.find((entry) => words(entry.words).test(prompt)) ?? events[2];
  const day = dayIn(prompt);
  const contact = contactIn(prompt);
  const place = placeIn(prompt, lang);
  const programme = items(event.items, lang, 'meta');
  return {
    sections: [
      { type: 'schedule', title: inLang('Programme|Programm|Programa|Programme', lang), items: programme },
    ],
    hours: [],
    contact,
    copy: {
      day: day ?? '@+60',
      time: timeIn(prompt) ?? (programme[0]?.meta ?? '17:00').padStart(5, '0'),
      ...(place ? { place } : {}),
    },
    tagline: inLang(event.tagline, lang),
    examples: [
      ...(day === null ? ['date' as const] : day.startsWith('@') ? ['nextDay' as const] : []),
      'texts',
    ],
    accent: event.accent,
    look: event.look,
  };
}
