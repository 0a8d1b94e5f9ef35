import type { Lang } from '../spec.ts';
import { isEmptyWord } from './function-words.ts';
import { isStyle } from './style.ts';
import { capitalised, shortened } from './text.ts';

const end =
  '(?=\\s\\p{Lu}|\\s[“"„«]|[,.:;!?]|$|\\s(?:in|at|on|with|and|that|which|called|named|near|from|who|en|con|y|que|llamad[ao]|à|au|avec|et|qui|dans|appelée?|mit|im|am|namens|und|das|die|der)\\s)';
/** What somebody calls the business of their own: “my yoga studio Lotus”, “mein Yogastudio”. */
const own: Readonly<Record<Lang, RegExp>> = {
  en: new RegExp(
    `(?<!\\p{L})(?:[Mm]y|[Oo]ur|for an?|for the) ((?:[\\p{Ll}-]+ ){0,3}?[\\p{Ll}-]+)${end}`,
    'u',
  ),
  de: /(?<!\p{L})(?:[Mm]ein|[Uu]nser)(?:e[nrms]?)? ((?:\p{Ll}+ ){0,2}\p{Lu}[\p{L}-]{3,30})/u,
  es: new RegExp(
    `(?<!\\p{L})(?:[Mm]i|[Nn]uestr[oa]|para una?) ((?:[\\p{Ll}-]+ ){0,4}?[\\p{Ll}-]+)${end}`,
    'u',
  ),
  fr: new RegExp(
    `(?<!\\p{L})(?:[Mm]on|[Mm]a|[Nn]otre|pour une?) ((?:[\\p{Ll}’'-]+ ){0,4}?[\\p{Ll}’'-]+)${end}`,
    'u',
  ),
};
/** Words that are a business no closer than the usual line above the name says it. */
const vague =
  /^(?:business|company|shop|store|firm|agency|startup|start-up|app|product|page|site|website|webseite|seite|firma|unternehmen|geschäft|empresa|negocio|tienda|página|entreprise|boutique|société|team|family|kids|friends?|clients?|customers?|kunden|projekt|projects?|name|services?)$/iu;

/** The trade in the words of the prompt, to stand above the name; null where it has none of its own. */
export function tradeIn(prompt: string, lang: Lang): string | null {
  const words = (own[lang].exec(prompt)?.[1] ?? '').split(' ').filter((word) => !isStyle(word));
  const from = words.findIndex((word) => !isEmptyWord(word));
  const trade = from < 0 ? '' : words.slice(from).join(' ');
  if (trade.length < 4 || words.slice(from).every((word) => vague.test(word))) return null;
  return capitalised(shortened(trade, 40), lang);
}
