import type { Lang, TemplateName } from '../spec.ts';
import { isStyle } from './style.ts';
import { surveyName } from './survey-name.ts';
import { capitalised, shortened } from './text.ts';

/** What people call an app of a template: the noun that stands behind its qualifier in English. */
const heads: Partial<Record<TemplateName, string>> = {
  tracker:
    'tracker|schedule|timetable|rota|roster|diary|chart|scoreboard|leaderboard|list|checklist|planner|log|logbook|inventory|organi[sz]er|collection|database|directory',
  habits: 'tracker|habits|routine',
  board: 'board',
  dashboard: 'dashboard',
  calculator: 'calculator',
  timer: 'timer|clock',
  form: 'sign[- ]?up (?:sheet|form|list)|form|survey|poll|questionnaire',
  notes: 'notes|journal|diary|notebook',
};
/** German joins both into one word. */
const germanHeads =
  'dashboard|tracker|liste|planer|plan|(?<!hand|notiz|hör|dreh|jahr|sach)buch|kartei|verzeichnis|lager|verwaltung|sammlung|übersicht|inventar|board|rechner|timer|uhr|zettel|formular|umfrage|fragebogen|notizen|tagebuch|journal|gewohnheiten';
const spanishHeads =
  'calculadora|lista|control|panel|tablero|registro|diario|temporizador|agenda|inventario|formulario|encuesta|colección|seguimiento';
const frenchHeads =
  'calculatrice|calculateur|simulateur|liste|suivi|tableau|tableau de bord|carnet|journal|minuteur|inventaire|formulaire|sondage|collection|gestion';

const stop =
  /^(?:an?|the|my|our|your|his|her|their|this|that|some|any|me|us|i|you|we|it|make|build|create|give|show|want|need|needs?|use|please|with|for|to|of|in|on|at|by|and|or|is|as|like|so|just|simple|easy|small|little|nice|cool|good|great|best|better|basic|new|personal|online|web|mobile|app|html|interactive|fun|free|responsive|single|page|kind|track|tracking|manage|maintain|keep|have|has|from|using|one|another|other|shared?|digital|full|complete|wait|waiting|long|first|next|last|whole|entire|can|could|should|would|will|look|looking|really|very|watch)$/iu;
const noun = "[\\p{L}\\p{N}’'&-]{1,60}";
const romanceStop =
  /^(?:con|para|por|y|e|o|en|que|mi|mis|un|una|llamad[ao]|avec|pour|et|ou|dans|qui|mon|ma|mes|une|sur|appelée?|control|bord|simple|sencill[ao]|fácil|facile|joli|bonit[ao]|web|app|aplicación|application)$/iu;

/** “Football team: who paid, size” begins with what it is for. */
const front = /^((?:[\p{L}’'-]+ ){0,4}[\p{L}’'-]{3,30})\s?(?::|\s[-–—])\s/u;
const wording =
  /(?<!\p{L})(?:i|we|you|my|our|is|are|please|make|build|create|need|want|wants|track|tracking|record|log|keep|manage|app|fields|columns|with|ich|wir|bitte|mit|für|eine?|un[ae]?|quiero|con|para|je|nous|avec|pour|veux|que|qui)(?!\p{L})/iu;

/** What stands in front of a list as its title; null where it is a sentence. */
export function frontTitle(prompt: string, lang: Lang): string | null {
  const title = front.exec(prompt)?.[1];
  if (!title || wording.test(title)) return null;
  const whole =
    lang === 'en' ? title.replace(/(?<![\p{L}’'])\p{L}/gu, (letter) => letter.toUpperCase()) : title;
  return shortened(capitalised(whole, lang), 40);
}

/** What a form is for whose answers are people who take part: “Anmeldung zum Sommerfest”. */
const takingPart: Record<Lang, RegExp> = {
  en: /(?<!\p{L})(?:sign[- ]?up|registration) for (?:the |our |a )?[\p{L}\p{N}]{1,20}(?: (?!(?:with|and|on|at|in|by|to) )[\p{L}\p{N}]{1,20}){0,3}(?=$|[:,.;]|\s)/iu,
  de: /(?<!\p{L})anmeldung (?:zu[rm]|für (?:den|die|das)) \p{L}[\p{L}-]{2,24}/iu,
  es: /(?<!\p{L})inscripción (?:al|(?:a|en|para) (?:el|la|los|las)) \p{L}{3,24}/iu,
  fr: /(?<!\p{L})inscription (?:au |aux |à la |à l[’'])\p{L}{3,24}/iu,
};

/**
 * The user's own words for the app: “sales dashboard”, “Hypothekenrechner”, “lista de la compra”; null without any.
 */
export function ownName(template: TemplateName, prompt: string, lang: Lang): string | null {
  const head = heads[template];
  if (!head) return null;
  const joining = template === 'form' ? takingPart[lang].exec(prompt)?.[0].trim() : undefined;
  const survey = template === 'form' ? surveyName(prompt, lang) : null;
  if (survey) return survey;
  if (joining) return shortened(capitalised(joining, lang), 40);
  if (lang === 'en') return english(prompt, head);
  if (lang === 'de') {
    const joined = new RegExp(
      `(?<![\\p{L}\\p{N}-])(?:${noun}-(?:${germanHeads})|\\p{L}{3,30}(?:${germanHeads}))(?![\\p{L}-])`,
      'iu',
    ).exec(prompt)?.[0];
    return joined ? shortened(capitalised(joined, lang), 40) : null;
  }
  return lang === 'es'
    ? romance(prompt, lang, spanishHeads, '(?:de|del)\\s+(?:la\\s+|las\\s+|los\\s+|el\\s+|mis?\\s+)?')
    : romance(
        prompt,
        lang,
        frenchHeads,
        "(?:(?:de|du|des)\\s+(?:la\\s+|mes\\s+|mon\\s+|ma\\s+|l[’'])?|d[’'])",
      );
}

function english(request: string, head: string): string | null {
  const prompt = request.replace(/(?<!\p{L})to ?do(?= (?:app|list|tracker|planner))/iu, 'to-do');
  const found = new RegExp(
    `(?<![\\p{L}\\p{N}’'&-])((?:${noun} ){1,4})(${head})(?![\\p{L}-])(?! of)`,
    'iu',
  ).exec(prompt);
  const said = (found?.[1] ?? '').trim().split(' ');
  const from = said.findLastIndex((word) => stop.test(word)) + 1;
  const own = said.slice(from).filter((word) => !isStyle(word));
  // The last of a list is not what all of it is about: “water, sport and reading habit tracker”.
  if (said[from - 1] === 'and' && /,/u.test(prompt.slice(0, found?.index))) return null;
  if (!found || own.length === 0 || own.join(' ').length < 2) return null;
  return shortened(
    [...own, found[2]].join(' ').replace(/(?<![\p{L}\p{N}’'])\p{L}/gu, (letter) => letter.toUpperCase()),
    40,
  );
}

function romance(prompt: string, lang: Lang, nouns: string, of: string): string | null {
  const found = new RegExp(`(?<![\\p{L}-])((?:${nouns})\\s+${of})(${noun})(?: (${noun}))?`, 'iu').exec(
    prompt,
  );
  const [, lead = '', one = '', two = ''] = found ?? [];
  if (one === '' || romanceStop.test(one) || isStyle(one)) return null;
  const more = two && /^\p{Ll}{4,}$/u.test(two) && !romanceStop.test(two) && !isStyle(two) ? ` ${two}` : '';
  const ownWords = lead.replace(/(?<=\s)(?:mis?|mes|mon|ma)\s+$/iu, '');
  return shortened(capitalised(`${ownWords}${one}${more}`.replace(/\s+/g, ' '), lang), 40);
}
