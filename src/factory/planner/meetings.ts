import type { Lang, Section, SectionItem } from '../spec.ts';
import { longDay } from './site-facts.ts';
import { capitalised, inLang } from './text.ts';

const clock = '\\d{1,2}(?:[:.h]\\d{2})?\\s?(?:am|pm|a\\.m\\.|p\\.m\\.|uhr|h)(?!\\p{L})|\\d{1,2}[:.]\\d{2}';
/** “Training dienstags 18 Uhr im Bürgerhaus”, “Thursdays 8pm at the Anchor pub”. */
const meeting = new RegExp(
  `(?:(?<!\\p{L})(\\p{L}[\\p{L}-]{3,30}) (?:is |are |ist |sind )?)?(?<!\\p{L})(?:(?:every|on|each|jeden|am|immer|cada|los|el|chaque|le|tous les) )*(${longDay})(?!\\p{L})(?: (?:evenings?|nights?|abends?|por la tarde|soirs?))?,? (?:(?:at|from|um|ab|a las|à|von) )?(${clock})(?: (?:at|in|im|in der|am|en|à|au|chez) ((?:the |der |la |el |le )?(?:[\\p{L}’'-]{2,20}(?: (?=\\p{Lu}|pub|hall|centre|club|park|school|bar)[\\p{L}’'-]{2,20}){0,3})))?`,
  'giu',
);
const title = 'When we meet|Wann wir uns treffen|Cuándo nos vemos|Quand nous nous retrouvons';
const defaultTitle = 'Meeting|Treffen|Encuentro|Rencontre';
const noTitle =
  /^(?:meets?|meeting|every|treffen|wann|when|then|open|closed|geöffnet|abierto|ouvert|and|und|from|on|jeden|website|page|club|verein|site|seite|uhr|each|with|mit|have|haben)$/iu;

/** The days and times at which people come together, as a section of a site; null where none is stated. */
export function meetingsOf(prompt: string, lang: Lang): Section | null {
  const items = [...prompt.matchAll(meeting)]
    .slice(0, 8)
    .map(([, what = '', on = '', at = '', where = '']): SectionItem => {
      const named = what && !noTitle.test(what) ? what : inLang(defaultTitle, lang);
      return {
        title: capitalised(named, lang),
        meta: `${capitalised(on, lang)} ${at.trim()}`,
        ...(where ? { text: capitalised(where, lang) } : {}),
      };
    });
  return items.length > 0 ? { type: 'schedule', title: inLang(title, lang), items } : null;
}
