import type { Lang, SectionItem } from '../spec.ts';
import { capitalised, inLang, shortened } from './text.ts';

const amount = '\\d{1,6}(?:[.,]\\d{1,2})?(?:,[-–])?';
const unit = '(?:€|\\$|£|eur(?:os?)?|usd|dollars?|dólares|gbp|pounds|chf|franken|pesos)(?!\\p{L})';
const one = `(?:[€$£]\\s?${amount}|${amount}\\s?${unit})`;
const range = `(?:[€$£]\\s?)?${amount}\\s?(?:${unit})?\\s?(?:-|–|to|bis|a|à|hasta)\\s?${one}`;
const least = '(?:from|starting at|ab|desde|a partir de|à partir de|dès)\\s+';
const price = new RegExp(`(?<![\\p{L}\\d])(?:${range}|(?:${least})?${one})`, 'giu');
const lead = /^(?:from|starting at|ab|desde|a partir de|à partir de|dès)\s/iu;

const per =
  /(?<!\p{L})(?:(?:per|a|each|pro|im|al|por|par|\/)\s?(?<what>month|year|week|hour|night|person|user|day|monat|jahr|woche|stunde|nacht|person|tag|mes|año|semana|hora|noche|persona|mois|an|semaine|heure|nuit|personne|user)|(?<often>monthly|yearly|monatlich|jährlich|mensuales?|mensuel))(?!\p{L})/iu;
const months = /^(?:month|monat|mes|mois|mo)/iu;
const perMonth = '/ month|/ Monat|/ mes|/ mois';

/** Words around a price that do not name what it is for. */
const noTitle =
  /(?<!\p{L})(?:prices?|pricing|plans?|tiers?|packages?|preise?|tarife?|tarifs?|precios?|planes|prix|offres?|abos?|abonnements?|menu|costs?|kostet|kosten|cuestan?|coûte(?:nt)?|only|nur|solo|each|monthly|monatlich|is|are|ist|our|unsere?|we (?:sell|offer)|wir (?:verkaufen|bieten))(?!\p{L})|[()/=|+]/giu;
const edge =
  /^(?:(?:for|at|à|für|zu|por|an?|from|von|between|ab|desde|with|mit|con|avec|the|de|del|du|pour|per|pro|par|and|und|y|et|or|oder|la|el|le|les|los|las)(?!\p{L})|[-–:,])\s*|\s*(?:(?<!\p{L})(?:for|at|à|für|zu|por|an?|from|von|between|ab|desde|with|mit|con|avec|the|de|del|du|pour|per|pro|par|and|und|y|et|or|oder|in|en)|[-–:,])$/iu;
const beginning = /^.*(?<!\p{L})(?:with|mit|con|avec|offers?|sells?|selling|including|like)\s+/iu;

function titleIn(text: string): string {
  const said = text.split(/\s+/u).length > 5 ? text.replace(beginning, '') : text;
  let plain = said.replace(per, ' ').replace(noTitle, ' ').replace(/\s+/gu, ' ').trim();
  while (edge.test(plain)) plain = plain.replace(edge, '').trim();
  return /\p{L}{2}/u.test(plain) && plain.split(' ').length <= 6 ? plain : '';
}

const planNames = ['Basic', 'Pro', 'Business', 'Enterprise'];
const free =
  /(?<!\p{L})(?:free|kostenlos|gratis|gratuit)(?:\s(?:plan|tier|version))?\s?(?:,|\/|and|und|y|et)/iu;
const freePlan = 'Free|Kostenlos|Gratis|Gratuit';

/**
 * Things with a price, such as “espresso 2.50 €” or “€12 for a haircut”; prices alone are plans: “9$ / 29$ per month”.
 */
export function pricesIn(prompt: string, lang: Lang): SectionItem[] {
  const titled: SectionItem[] = [];
  const bare: string[] = [];
  let period = '';
  for (const part of prompt.split(/[;\n:]|,(?!\d|[-–])|\s(?:and|und|y|et)\s|[.!?](?=\s)/iu)) {
    const found = [...part.matchAll(price)];
    for (const [index, match] of found.entries()) {
      const before = part.slice(
        index === 0 ? 0 : (found[index - 1]?.index ?? 0) + (found[index - 1]?.[0].length ?? 0),
        match.index,
      );
      const ends = index === found.length - 1;
      const after = part.slice(match.index + match[0].length, found[index + 1]?.index);
      const each = per.exec(after)?.groups;
      const monthly =
        each && (each['often'] ? /^(?:mon|men)/iu.test(each['often']) : months.test(each['what'] ?? ''));
      if (monthly) period = inLang(perMonth, lang);
      const suffix = monthly ? period : each?.['what'] ? `/ ${each['what']}` : '';
      const title = titleIn(before) || (ends ? titleIn(after) : '');
      const cost = match[0].trim().replace(lead, (from) => from.toLocaleLowerCase(lang));
      if (title)
        titled.push({
          title: capitalised(shortened(title, 50), lang),
          price: `${cost} ${suffix}`.trim().slice(0, 40),
        });
      else bare.push(`${cost}${monthly ? '' : suffix && ` ${suffix}`}`.slice(0, 28));
    }
  }
  const plans =
    bare.length === 1 && /[-–]|\s(?:to|bis|a|à|hasta)\s/iu.test(bare[0] ?? '')
      ? bare.map(
          (cost): SectionItem => ({ title: inLang('Prices|Preise|Precios|Tarifs', lang), price: cost }),
        )
      : bare.slice(0, 4).map(
          (cost, index): SectionItem => ({
            title: planNames[index] ?? '',
            price: `${cost} ${period}`.trim(),
          }),
        );
  const first: SectionItem[] =
    plans.length > 0 && titled.length === 0 && free.test(prompt)
      ? [{ title: inLang(freePlan, lang), price: '0' }]
      : [];
  const last = titled.at(-1);
  // Beside named prices, one without a name goes with the thing before it.
  return (
    last ? [...titled, ...bare.map((cost) => ({ title: last.title, price: cost }))] : [...first, ...plans]
  ).slice(0, 16);
}
