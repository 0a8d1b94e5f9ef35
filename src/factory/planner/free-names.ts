import type { Lang } from '../spec.ts';
import { withoutAudience } from './audience.ts';
import { wordRun } from './fields.ts';
import { isEmptyWord, withoutEmptyStart } from './function-words.ts';
import { numerusOf } from './numerus.ts';
import { capitalised, shortened } from './text.ts';

const about: Record<Lang, string> = {
  en: '(?:track(?:s|ing|er for)?|keep track of|manag(?:e|ing)|organi[sz](?:e|ing)|list of|collect(?:ing|ion of)?|catalogue?(?: of)?|log(?:ging)?|app for|database (?:of|for)|record|planner for|inventory of)\\s+(?:all |my |our |the |a |an |some )*',
  de: '(?:verwaltung (?:von|für)|liste (?:von|für|mit)|app (?:für|zum)|sammlung von|verwalten von|übersicht über|datenbank für)\\s+(?:meine[rnms]? |unsere[rnms]? |alle |die |den |das )*',
  es: '(?:control de|seguimiento de|gestor de|gestión de|lista de|registro de|registrar|organizar|gestionar|app (?:para|de)|aplicación (?:para|de)|colección de)\\s+(?:mis? |nuestr[oa]s? |los |las |el |la )*',
  fr: "(?:suivi (?:de |des |du |d[’'])?|gestion (?:de |des |du |d[’'])?|liste (?:de |des |d[’'])?|gérer|suivre|organiser|application (?:pour|de)|appli (?:pour|de)|collection (?:de |d[’'])?)\\s*(?:mes |mon |ma |nos |les |la |le |l[’'])*",
};
const stop =
  /\s(?:with|mit|con|avec|and|und|y|et|that|which|called|named|namens|including|by|in|on|at|from|to|using|where|so|für|for|para|pour|de|per|who|die|der|das|zum)\s.*$|[,.;:!?()].*$/iu;

/** “Every day” says when something is written down, not what. */
const when =
  /\s+(?:every|each|daily|weekly|monthly|jeden?|täglich|wöchentlich|cada|todos|diari[oa]|chaque|tous|quotidien(?:ne)?s?)(?:\s.*)?$/iu;

/** The names of a thing that the lexicon does not know, taken from the prompt; null where it has none. */
export function freeNames(request: string, lang: Lang): readonly [string, string] | null {
  const prompt = withoutAudience(request).replace(/\s+/gu, ' ');
  const before =
    /(?<![\p{L}’'-])((?:\p{L}|[-’'])+(?: (?:\p{L}|-)+)?) (?:tracker|manager|log|logger|planner|organi[sz]er|list|database|collection|inventory|app|directory|catalogue?)(?!\p{L})/iu.exec(
      lang === 'en' ? prompt : '',
    )?.[1];
  const after = new RegExp(`(?<!\\p{L})${about[lang]}(.{2,60})`, 'iu').exec(prompt)?.[1]?.replace(stop, '');
  // “Fishing log species length weight” lists fields after the word.
  const raw = ((after && wordRun(after, lang).length < 2 ? after : null) ?? before ?? '').trim();
  const meant = withoutEmptyStart(raw).replace(when, '').trim();
  if (!/\p{L}{2}/u.test(meant) || meant.split(/\s+/u).every(isEmptyWord)) return null;
  const [singular, plural] = numerusOf(shortened(meant, 40), lang);
  return [lang === 'de' ? capitalised(singular, lang) : singular.toLowerCase(), capitalised(plural, lang)];
}
