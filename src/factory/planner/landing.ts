import type { Contact, Lang, Section, SectionItem } from '../spec.ts';
import { contactIn, onlineIn, sinceIn, townIn } from './contact.ts';
import { type AskedSection, askedSections } from './content/asked-sections.ts';
import { type Business, businesses } from './content/business.ts';
import { pageTexts } from './content/texts.ts';
import { trades } from './content/trades.ts';
import { meetingsOf } from './meetings.ts';
import { namedSections } from './named-sections.ts';
import { pricesIn } from './prices.ts';
import { businessIn, descriptionIn, fill, items, type SiteParts } from './site.ts';
import { hoursIn } from './site-facts.ts';
import { statedList } from './stated.ts';
import { capitalised, inLang, shortened } from './text.ts';
import { tradeIn } from './trade-word.ts';
import { words } from './words.ts';

const asksPrices = words(
  'prices?|pricing|price list|plans|menu|preise|preisliste|tarife|speisekarte|precios|tarifas|menú|carta|planes|tarifs?|prix|carte|menus',
);
const asksHours = words(
  "opening hours|opening times|hours|öffnungszeiten|horarios?(?: de apertura)?|horaires?(?: d[’']ouverture)?",
);

const asked = askedSections.map((section) => ({ section, pattern: words(section.words) }));

/** The sections that the prompt asks for, filled from it or with examples that say so. */
function askedFor(prompt: string, lang: Lang, contact: Contact): Section[] {
  return asked
    .map(({ section, pattern }) => ({ section, at: pattern.exec(prompt)?.index ?? -1 }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ section }) => filled(section, prompt, lang, contact));
}

/** What the prompt asks for, lists by titles, and says about when people meet. */
function sectionsFor(prompt: string, lang: Lang, contact: Contact, opens: boolean): Section[] {
  const named = namedSections(prompt, lang, isKnownPart);
  const said = named.map(({ text }) => text).join(' ');
  const meetings = opens || meetingsOf(said, lang) ? null : meetingsOf(prompt, lang);
  const told = new Set(named.map(({ title }) => title));
  const asks =
    named.length > 0 ? askedFor(withoutTitles(prompt, told), lang, contact) : askedFor(prompt, lang, contact);
  return [...named, ...(meetings ? [meetings] : []), ...asks];
}

/** A section of the prompt’s own that says who somebody is. */
const aboutUs =
  /^(?:who we are|about(?: us| the \p{L}+)?|wer wir sind|über uns|quiénes somos|qui sommes-nous|qui nous sommes)$/iu;

/** Parts of a site that are made in another way: prices, hours, ways to get in touch, and the sections known by name. */
const isKnownPart = (title: string) =>
  asksPrices.test(title) ||
  asksHours.test(title) ||
  /^(?:our |my |a |an |the )?(?:contact(?: form| details)?|about(?: us| me)?|kontakt\p{L}*|über uns|contacto|quiénes somos|à propos|address|adresse|dirección|impressum)$/iu.test(
    title,
  ) ||
  asked.some(({ pattern }) => pattern.exec(title)?.[0].length === title.length);

/** The prompt without the titles that have their section already. */
const withoutTitles = (prompt: string, titles: ReadonlySet<string>) =>
  [...titles].reduce((text, title) => text.replace(new RegExp(escaped(title), 'iu'), ' '), prompt);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');

function filled(section: AskedSection, prompt: string, lang: Lang, contact: Contact): Section {
  const stated = section.stated ? statedList(prompt, section.stated) : [];
  const where = section.id === 'map' && contact.address ? `${contact.address}. ` : '';
  return {
    type: section.type,
    title: inLang(section.title, lang),
    ...(section.text ? { text: `${where}${inLang(section.text, lang)}` } : {}),
    items:
      stated.length > 0
        ? stated.map((title) => withDetail(title))
        : items(section.items, lang, section.type === 'prices' ? 'price' : 'meta'),
  };
}

/** “12 May Berlin” is a date and a place, “Jana (drums)” a name and a note. */
function withDetail(stated: string): SectionItem {
  const dated =
    /^(\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:de\s+)?\p{L}{3,10}\.?|\p{Lu}\p{L}{2,8}\.?\s+\d{1,2}(?:st|nd|rd|th)?|\d{1,2}[./]\d{1,2}\.?(?:\d{2,4})?)[\s:–-]+(?:in |at |à |en )?(.{2,})$/u.exec(
      stated,
    );
  if (dated) return { title: dated[2] ?? stated, price: (dated[1] ?? '').slice(0, 40) };
  const noted = /^([^()]{2,60})\s?\(([^()]{2,60})\)$/u.exec(stated);
  return noted ? { title: (noted[1] ?? '').trim(), text: noted[2] ?? '' } : { title: stated };
}

function offersOf(business: Business, prompt: string, lang: Lang, currency: string) {
  const price = (amount: string) =>
    new Intl.NumberFormat(lang, {
      style: 'currency',
      currency,
      minimumFractionDigits: /[.,]/.test(amount) ? 2 : 0,
    }).format(Number(amount.replace(',', '.')));
  const priced = pricesIn(prompt, lang).map((item) =>
    item.price === '0' ? { ...item, price: price('0') } : item,
  );
  const named = [
    ...statedList(prompt, 'services'),
    ...(business.trade === 'food' ? statedList(prompt, 'menu') : []),
  ]
    .filter((title) => !/\d\s?[€$£]|[€$£]\s?\d/u.test(title))
    .map((title): SectionItem => ({ title }));
  const stated =
    priced.length > 0
      ? [...priced, ...named.filter(({ title }) => !priced.some((item) => item.title === title))]
      : named;
  const defaults = items(business.items, lang, 'price').map((item) => ({
    ...item,
    ...(item.price ? { price: price(item.price) } : {}),
  }));
  return { offers: stated.length > 0 ? stated.slice(0, 24) : defaults, stated: stated.length > 0 };
}

/** “Classes and prices” only where there are prices. */
function headingOf(business: Business, priced: boolean, lang: Lang): string {
  const defaultList = inLang(business.list, lang);
  if (priced)
    return business.trade === 'neutral' ? inLang('Prices|Preise|Precios|Tarifs', lang) : defaultList;
  const plain = defaultList.replace(/\s(?:and|und|y|et)\s(?:prices|preise|precios|tarifs|prix)$/iu, '');
  return /^(?:prices|preise|precios|tarifs|prix)$/iu.test(plain)
    ? inLang('What we offer|Unser Angebot|Qué ofrecemos|Nos offres', lang)
    : plain;
}

const days =
  'Monday to Friday~9:00–18:00;Saturday~10:00–14:00;Sunday~closed|Montag bis Freitag~9:00–18:00;Samstag~10:00–14:00;Sonntag~geschlossen|Lunes a viernes~9:00–18:00;Sábado~10:00–14:00;Domingo~cerrado|Lundi à vendredi~9:00–18:00;Samedi~10:00–14:00;Dimanche~fermé';
const defaultHours = (lang: Lang) =>
  inLang(days, lang)
    .split(';')
    .map((line) => ({ days: line.split('~')[0] ?? '', time: line.split('~')[1] ?? '' }));

const app = words('apps?|application|appli|aplicación|anwendung|tool|extension|plugin|api');

/** Without a trade an app is what is shown, else whatever it may be. */
function businessFor(prompt: string): Business {
  const software = app.test(prompt) ? businesses.find(({ trade }) => trade === 'software') : undefined;
  return businessIn(prompt)?.business ?? software ?? (businesses.at(-1) as Business);
}

/** The parts of a business's page; what the prompt gives stands in place of the examples. */
export function landingParts(prompt: string, name: string, lang: Lang, currency: string): SiteParts {
  const business = businessFor(prompt);
  const trade = trades[business.trade];
  const { offers, stated } = offersOf(business, prompt, lang, currency);
  const hours = hoursIn(prompt, lang);
  const exampleHours = hours.length === 0 && (trade.opens || asksHours.test(prompt));
  const contact = contactIn(prompt, lang);
  const priced = offers.some((item) => item.price);
  const sections = sectionsFor(prompt, lang, contact, hours.length > 0);
  const plans = business.trade === 'software' || asksPrices.test(prompt);
  // A page with sections of its own needs no examples of a trade beside them.
  const listed = namedSections(prompt, lang, isKnownPart).length;
  const shows = stated || plans || (listed < 3 && (sections.length < 3 || business.trade !== 'neutral'));
  const offer: Section = {
    type: priced && offers.length > 2 ? 'prices' : 'items',
    title: headingOf(business, priced, lang),
    items: offers,
  };
  const since = sinceIn(prompt, lang);
  const town = townIn(prompt, lang)?.replace(/^\d+\s/u, '');
  const about: Section = {
    type: 'text',
    title: inLang(pageTexts.about, lang),
    text: [fill(trade.about, lang, name), ...(since ? [`${capitalised(since, lang)}.`] : [])].join(' '),
    items: [],
  };
  const lead =
    business.trade === 'music'
      ? [...sections, ...(shows ? [offer] : [])]
      : [...(shows ? [offer] : []), ...sections];
  const why: Section[] =
    trade.why && sections.length < 4
      ? [{ type: 'items', title: inLang(pageTexts.why, lang), items: items(trade.why, lang, 'price') }]
      : [];
  const online = onlineIn(prompt);
  return {
    sections: [...lead, ...why, ...(sections.some(({ title }) => aboutUs.test(title)) ? [] : [about])].slice(
      0,
      12,
    ),
    hours: hours.length > 0 ? hours : exampleHours ? defaultHours(lang) : [],
    contact,
    copy: {
      kicker: [tradeIn(prompt, lang) ?? inLang(business.kicker, lang), town, since]
        .filter(Boolean)
        .join(' · '),
      action: inLang(trade.opens ? pageTexts.visit : pageTexts.action, lang),
      contactText: shortened([inLang(trade.contact, lang), ...online].join(' · '), 200),
    },
    tagline: capitalised(shortened(descriptionIn(prompt) ?? inLang(business.tagline, lang), 150), lang),
    examples: [
      ...(stated || !priced ? [] : ['prices' as const]),
      ...(exampleHours ? ['hours' as const] : []),
      'texts',
    ],
  };
}
