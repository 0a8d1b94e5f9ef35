import type { TemplateName } from '../spec.ts';
import { withoutAudience } from './audience.ts';
import { operationsIn } from './content/sums.ts';
import { meeting } from './evenings.ts';
import { saysNothing } from './function-words.ts';
import { pricesIn } from './prices.ts';
import { dayIn, hoursIn, timesIn } from './site-facts.ts';
import { type Rule, rules } from './template-rules.ts';
import { hashOf } from './text.ts';
import { words } from './words.ts';

/** What is of use to anybody, for prompts that leave open what to build. */
const useful: readonly (readonly [TemplateName, string])[] = [
  ['tracker', ''],
  ['notes', 'notes'],
  ['habits', ''],
];
const forFun = words('fun|funny|cool|bored|lustig\\p{L}*|langweilig|divertid[oa]|chulo|amusant|rigolo|sympa');

const tool = words(
  '\\p{L}*tracker|\\p{L}*list|\\p{L}*liste|lista|planner|\\p{L}*planer|manager|budgets?|checklist|\\p{L}*verwaltung|organi[sz]er|app',
);
const site = words(
  'page|site|website|webseite|seite|página|invitations?|invites?|\\p{L}*einladung|invitación|countdown',
);
const keeping = words(
  '\\p{L}*tracker|track|\\p{L}*list|\\p{L}*liste|lista|log|planner|\\p{L}*planer|manager|schedule|inventory|timetable',
);

/** A page for somebody's own business: “page pour mon restaurant”, “website for our bakery”. */
const ownSite =
  /(?<!\p{L})(?:landing ?-?page|web ?site|web ?page|homepage|one-?pager|page|site|webseite|internetseite|webauftritt|internetauftritt|seite|sitio(?: web)?|página(?: web)?|pagina(?: web)?|web|site internet|site web|vitrine)\s(?:(?:simple|small|einfache|kleine|sencilla|simple)\s)?(?:for|of|für|zu|para|de|pour|du)\s(?:my|our|the|a|an|meine?[nrs]?|unsere?[nrs]?|eine?n?|mi|nuestr[oa]|una?|el|la|mon|ma|notre|une|le)\s/iu;

/** Nouns that say what the thing is when they stand behind another: a “chess clock” is a clock. */
const heads: readonly (readonly [TemplateName, string])[] = [
  ['timer', 'timer|clock|stopwatch'],
  ['dashboard', 'dashboard'],
  ['tracker', 'tracker|scoreboard|leaderboard|inventory|checklist'],
  ['calculator', 'calculator'],
  ['converter', 'converter'],
  ['quiz', 'quiz'],
  ['form', 'poll|survey'],
];
const head = new RegExp(
  `^[ -](?:(?!and |or |with |for |of |to |in |on |about )\\p{L}+[ -])?(${heads.map(([, source]) => source).join('|')})(?!\\p{L})`,
  'iu',
);

/** Whether a further noun behind the match says that another template is meant. */
function modifies(template: TemplateName, rest: string): boolean {
  const noun = head.exec(rest)?.[1]?.toLowerCase();
  const named = heads.find(([, source]) => noun && source.split('|').includes(noun))?.[0];
  if (named === undefined || named === template) return false;
  // Habits have their own tracker, and an event counts down by itself.
  return !(named === 'tracker' && template === 'habits') && !(named === 'timer' && template === 'event');
}

const learning = words(
  "learn(?:ing)?|practi[cs]e|practi[cs]ing|study|studying|memori[sz]e|revise|teach|lernen|üben|beibringen|aprend\\p{L}+|practi(?:car|quen)|estudiar|repasar|apprendre|réviser|pratiquer|s[’']entraîner",
);
const languages = words(
  'spanish|french|german|english|spanisch|französisch|englisch|deutsch|español|francés|inglés|alemán|espagnol|français|anglais|allemand|vocab(?:ulary)?|vokabeln|vocabulario|vocabulaire',
);
const subjects = words(
  'capitals|hauptstädte|capitales|geograph\\p{L}*|geograf\\p{L}*|géographie|maths?|mathe|matemáticas|maths|planets|planeten|planetas|planètes|anatomy|anatomie|anatomía|history|geschichte|historia|histoire|biology|biologie|biología|physics|physik|física|physique|flags|flaggen|banderas|drapeaux',
);

const birthday = words('birthday|geburtstag\\p{L}*|cumpleaños|anniversaire');
const recording = words(
  'record|records|recording|track|tracking|log|logging|logbook|keep track|write down|collection|collect|list of|erfassen|notieren|aufschreiben|sammeln|sammlung|dokumentieren|registrar|apuntar|anotar|colección|noter|enregistrer|suivre|collection',
);
const rsvp = words('rsvp|confirmar asistencia|confirmation de présence|zu- und absagen?');
/** Whose day it is or when: only then is there more to say on the page than the question who comes. */
const whose =
  /\p{Lu}\p{Ll}+\s+(?:and|und|y|et|e|&)\s+\p{Lu}\p{Ll}+|\p{Lu}\p{Ll}+[’']s\s|(?<!\p{L})(?:for|of|von|für|de|pour)\s+\p{Lu}\p{Ll}+|\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?\p{L}{3,10}|\p{L}{3,10}\s+\d{1,2}/u;
/** What makes the answer to an invitation a form of its own. */
const asked =
  /(?<!\p{L})(?:forms?|formular|formulario|formulaire|survey)(?!\p{L})|(?<!\p{L})(?:with|mit|con|avec|fields?|felder|campos|champs)(?!\p{L})[^.]{0,60}(?:name|nombre|nom|e-?mail|guests|gäste)|(?<!\p{L})(?:(?:meal|menu|food|drink) choices?|dietary|allerg\p{L}*|menüwahl|essenswunsch|elección de menú|choix du menu)(?!\p{L})/iu;

export interface TemplateFound {
  readonly template: TemplateName;
  readonly variant: string;
  /** No word told the template: it was chosen by chance that is always the same for the same prompt. */
  readonly guessed: boolean;
}

/**
 * The template that a prompt asks for. An earlier mention weighs more: “a tracker for my games” is a tracker,
 * “a game about trackers” a game.
 * @param entity where a thing that can be kept track of is mentioned, from 0 to 1, or null
 * @param business where a kind of business is mentioned, or null
 * @param measured the thing is measured from day to day: its diary is a table, not a notebook
 */
export function templateOf(
  prompt: string,
  entity: number | null,
  business: number | null,
  measured = false,
): TemplateFound {
  const scores = new Map<TemplateName, { score: number; variant: string; best: number }>();
  const add = (template: TemplateName, variant: string, weight: number, at: number) => {
    const score = weight * (1.5 - at);
    const known = scores.get(template) ?? { score: 0, variant: '', best: 0 };
    const better = variant !== '' && (known.variant === '' || score > known.best);
    scores.set(template, {
      score: Math.max(known.score, score) + Math.min(known.score, score) * 0.25,
      variant: better ? variant : known.variant,
      best: better ? score : known.best,
    });
  };
  const planning = tool.test(prompt) && !site.test(prompt);
  const matched: Rule[] = [];
  for (const one of rules) {
    const { template, variant, weight, pattern } = one;
    const match = pattern.exec(prompt);
    if (!match) continue;
    matched.push(one);
    // “Wedding guest list” is a list, not the wedding's page.
    const halved = (template === 'event' && planning) || (template === 'notes' && measured) ? 2 : 1;
    const led = modifies(template, prompt.slice(match.index + match[0].length)) ? 2.5 : 1;
    add(template, variant, weight / halved / led, match.index / prompt.length);
  }
  if (entity !== null) add('tracker', '', 2, entity);
  if (business !== null) add('landing', '', entity === null ? 2.4 : 1, business);
  const occasion = matched.some((one) => one.template === 'event' && one.weight > 5);
  if (ownBusiness(prompt, business) && !scores.has('portfolio') && !occasion) add('landing', '', 4.6, 0.3);
  if (scores.has('event') && rsvp.test(prompt) && whose.test(prompt) && !asked.test(prompt))
    add('event', '', 8, 0.3);
  // Three times of day and a day are the programme of something that takes place.
  if (!planning && timesIn(prompt).length >= 3 && dayIn(prompt)) add('event', '', 4, 0.2);
  // A birthday on a day and at a time is one to come to; a list of birthdays has no time.
  if (!planning && birthday.test(prompt) && dayIn(prompt) && timesIn(prompt).length > 0)
    add('event', '', 5, 0.2);
  // “Book club page on 12 March at 19:00” is about that evening.
  if (site.test(prompt) && meeting.test(prompt) && timesIn(prompt).length > 0 && dayIn(prompt))
    add('event', '', 7, 0.2);
  const learnt = keeping.test(prompt) ? null : learning.exec(prompt);
  if (learnt) {
    const at = learnt.index / prompt.length;
    if (operationsIn(prompt).length > 0 || subjects.test(prompt)) add('quiz', '', 4.4, at);
    else if (languages.test(prompt)) add('flashcards', '', 4.4, at);
  }
  const [top] = [...scores].sort(([, a], [, b]) => b.score - a.score);
  const said = matched.some(({ weight }) => weight > 1) || entity !== null || business !== null || learnt;
  const open = !said && saysNothing(withoutAudience(prompt));
  if (top && !open) return { template: top[0], variant: top[1].variant, guessed: false };
  const [template, variant] = forFun.test(prompt)
    ? (['quiz', ''] as const)
    : (useful[hashOf(prompt, 'kind') % useful.length] ?? ['notes', 'notes']);
  return { template, variant, guessed: true };
}

/**
 * Whether stated fields make a tracker of what was read: of notes, which have no fields, of what nothing else tells, and of a
 * business that wants no site.
 */
export function mayBeTracker({ template, guessed }: TemplateFound, prompt: string): boolean {
  if (guessed || template === 'notes') return true;
  // Who records games plays them elsewhere.
  if (template === 'game') return recording.test(prompt);
  return template === 'landing' && !site.test(prompt) && !/landing/iu.test(prompt) && !isOpenShop(prompt);
}

/** A site for a business, or a business with its prices or hours and no word for another kind of app. */
function ownBusiness(prompt: string, business: number | null): boolean {
  if (business === null) return false;
  const own = ownSite.exec(prompt);
  const gap = own ? business * prompt.length - (own.index + own[0].length) : Number.POSITIVE_INFINITY;
  if (gap >= -1 && gap <= 25) return true;
  return !tool.test(prompt) && !keeping.test(prompt) && isOpenShop(prompt);
}

/** Whether it says what things cost or when somebody is there. */
function isOpenShop(prompt: string): boolean {
  return pricesIn(prompt, 'en').length >= 2 || hoursIn(prompt, 'en').length > 0;
}
