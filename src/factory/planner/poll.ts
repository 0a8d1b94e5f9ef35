import type { Lang } from '../spec.ts';
import type { Assumption } from './assumptions.ts';
import { listTexts } from './lists.ts';
import { splitList } from './split.ts';
import { withoutStyle } from './style.ts';
import { capitalised, inLang, shortened } from './text.ts';

const dayOptions =
  'Monday,Wednesday,Friday|Montag,Mittwoch,Freitag|Lunes,Miércoles,Viernes|Lundi,Mercredi,Vendredi';
const dayQuestion =
  'Which day suits you?|Welcher Tag passt dir?|¿Qué día te viene bien?|Quel jour vous convient ?';
const neutralQuestion = 'What do you choose?|Was wählst du?|¿Qué eliges?|Que choisissez-vous ?';
const topicQuestion =
  '{topic}: what do you choose?|{topic}: Was wählst du?|{topic}: ¿qué eliges?|{topic} : que choisissez-vous ?';

/** What stands behind the last colon or in brackets at the end, if it is a list. */
function listAtEnd(prompt: string): string | undefined {
  const tail = /[:(]([^:()]*)\)?$/u.exec(prompt)?.[1]?.trim();
  return tail && /,.|\s(?:or|oder|o|ou|vs\.?|\/)\s/iu.test(tail) ? tail : undefined;
}

/** “… which is better, tea or coffee”: a choice without a colon. */
const choiceInText =
  /(?:^|[,–-]\s|\s)((?:(?:\p{L}|[-’'])+(?: (?:\p{L}|[-’'])+)?, )*(?:\p{L}|[-’'])+(?: (?:\p{L}|[-’'])+)? (?:or|oder|o|ou|vs\.?) (?:\p{L}|[-’'])+(?: (?:\p{L}|[-’'])+)?)\s*[.?!]?$/iu;

const asks = {
  en: /(?:^|\s)((?:where|what|which|who|whom|when|how|should|shall|do|does|is|are|can|would|whether)(?!\p{L}).*)$/iu,
  de: /(?:^|\s)((?:wo|wohin|was|welche[rsnm]?|wer|wen|wann|wie|soll(?:en|te[n]?)?|wollen|ob)(?!\p{L}).*)$/iu,
  es: /(?:^|\s|¿)((?:d[oó]nde|a d[oó]nde|qu[eé]|cu[aá]l(?:es)?|qui[eé]n|cu[aá]ndo|c[oó]mo)(?!\p{L}).*)$/iu,
  fr: /(?:^|\s)((?:où|quel(?:le)?s?|qui|quand|comment|que|quoi|est-ce que|on)(?!\p{L}).*)$/iu,
};

const pollWords =
  /(?<!\p{L})(?:(?:a|an|the|our|my|simple|quick|small|little|straw|online|team|eine?|kleine|schnelle|einfache|una?|une|petit|pequeñ[ao]|rápida)\s+)*(?:polls?|voting|votes?|umfrage|abstimmung|encuesta|votación|sondage|vote|doodle)(?:\s+(?:app|page|tool|seite))?(?!\p{L})/giu;
const leading =
  /^(?:(?:choose|choosing|pick|decide|deciding|vote|choisir|décider|voter|elegir|decidir|escoger|wählen|entscheiden|make|create|build|please|i|we|need|want|let|us|me|app|for|on|about|to|of|with|that asks|asking|the|our|my|erstelle|mache?|bitte|über|zu[rm]?|für|den|die|das|unsere[nmr]?|ein(?:e|en)?|crea|haz|quiero|para|sobre|de|la|el|las|los|nuestr[oa]|una?|crée|fais|pour|sur|le|les|notre|une?|du|des)\s+)+/iu;
const trailing =
  /\s+(?:with|mit|con|avec|for|between|zwischen|entre|the options?|options?|optionen|opciones|choices?|is|are|:|–|-)+$/iu;

/** “where to meet” becomes “Where shall we meet?”. */
function asQuestion(text: string, lang: Lang): string {
  const phrase = text.replace(/[\s,;:.!?–-]+$/u, '').replace(/^[¿\s]+/u, '');
  if (lang === 'en')
    return `${capitalised(phrase.replace(/^(where|what|when|who|how|which \p{L}+)(?: (?:do )?we (?:should )?)? to /iu, '$1 shall we '), lang)}?`;
  if (lang === 'es') return `¿${capitalised(accented(phrase), lang)}?`;
  if (lang === 'de')
    return `${capitalised(
      phrase
        .replace(
          /^(welche\p{L}? \p{L}+|wo|wohin|wann|was|wer|wie) (.+) (soll|sollen|wollen|können|kann|ist|sind|wird|werden)$/iu,
          '$1 $3 $2',
        )
        .replace(
          /^(welche\p{L}? \p{L}+|wo|wohin|wann|was|wie) wir (uns )?(\p{L}+en)$/iu,
          (_all, ask, self = '', verb) => `${ask} ${verb} wir ${self}`.trim(),
        ),
      lang,
    )}?`;
  return `${capitalised(phrase, lang)}${lang === 'fr' ? ' ?' : '?'}`;
}

const accents: readonly (readonly [RegExp, string])[] = [
  [/^(a )?donde/iu, '$1dónde'],
  [/^que(?!\p{L})/iu, 'qué'],
  [/^cual/iu, 'cuál'],
  [/^quien/iu, 'quién'],
  [/^cuando/iu, 'cuándo'],
  [/^como/iu, 'cómo'],
];
const accented = (text: string) =>
  accents.reduce((done, [plain, accent]) => done.replace(plain, accent), text);

/** The question of a poll whose options are stated: asked in the prompt, or made of its topic, or neutral. */
function questionOf(before: string, lang: Lang): string {
  const rest = before
    .replace(pollWords, ' ')
    .replace(/\s+/g, ' ')
    .replace(/[\s:,;(–-]+$/u, '')
    .trim();
  const asked = asks[lang].exec(rest)?.[1]?.replace(trailing, '');
  if (asked && asked.split(/\s+/).length >= 2) return asQuestion(asked, lang);
  let topic = rest.replace(/^[\s:,;–-]+/u, '');
  topic = topic.replace(leading, '').replace(trailing, '').trim();
  const length = topic.split(/\s+/).length;
  return topic === '' ||
    length > 6 ||
    !/\p{L}{2}/u.test(topic) ||
    /^(?:options?|choices?|optionen|opciones|app)$/iu.test(topic)
    ? inLang(neutralQuestion, lang)
    : inLang(topicQuestion, lang).replace('{topic}', () => capitalised(topic, lang));
}

export interface Poll {
  readonly question: string;
  readonly options: readonly string[];
  readonly said: readonly Assumption[];
}

/** “Pizza, sushi or tacos?” is a question with three options. */
export function pollOf(prompt: string, lang: Lang): Poll {
  const afterQuestion = /\?\s*([^?]+)$/u.exec(prompt)?.[1];
  const list =
    (afterQuestion && /,|\s(?:or|oder|o|ou|vs\.?|\/)\s/iu.test(afterQuestion) ? afterQuestion : undefined) ??
    listAtEnd(prompt.replace(/[.?!\s]+$/u, '')) ??
    listTexts(prompt).explicit ??
    /(?:options?|optionen|opciones|choices|between|zwischen|entre|with|mit|con|avec)\s*:?\s+([^.?!]+)/iu.exec(
      prompt,
    )?.[1] ??
    choiceInText.exec(prompt.replace(pollWords, ' ').trim())?.[1];
  const options = list
    ? withoutStyle(splitList(list.replace(/[?.!]+$/u, '').replace(/\s(?:vs\.?|\/)\s/giu, ', '))).map((item) =>
        capitalised(
          shortened(item.replace(/^(?:the )?(?:options?|optionen|opciones|choices)\s*:?\s+/iu, ''), 60),
          lang,
        ),
      )
    : [];
  const stated = options.length >= 2;
  const asked = prompt.includes('?') ? `${prompt.split('?')[0]?.split(/[.:!]/).at(-1)?.trim()}?` : undefined;
  const inWords =
    asked &&
    !(stated && list && asked.includes(list.replace(/[?.!]+$/u, ''))) &&
    (asked.split(/\s+/).length > 2 || (/:[^:]*\?/u.test(prompt) && asked.length > 2))
      ? capitalised(
          asked.replace(
            /^(?:a |an |ein(?:e)? |una |un |une )?(?:\p{L}+ )?(?:poll|umfrage|abstimmung|encuesta|votación|sondage)(?: app)?[:,]?\s*/iu,
            '',
          ),
          lang,
        )
      : undefined;
  const question =
    (inWords?.startsWith('¿') ? `¿${capitalised(inWords.slice(1).trim(), lang)}` : inWords) ??
    (stated && list
      ? questionOf(prompt.slice(0, prompt.lastIndexOf(list.trim())), lang)
      : inLang(dayQuestion, lang));
  return {
    question: shortened(question, 160),
    options: stated ? [...new Set(options)].slice(0, 10) : inLang(dayOptions, lang).split(','),
    said: stated ? [] : ['options'],
  };
}
