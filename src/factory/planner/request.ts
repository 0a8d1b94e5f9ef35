import { cleanPrompt } from '../prompt.ts';
import type { Lang, TemplateName } from '../spec.ts';
import { mayBeTracker, templateOf } from './choose-template.ts';
import { beforeList, type EntityFound, entityIn } from './entity-in.ts';
import { statedFields } from './fields.ts';
import { goalIn } from './goal.ts';
import { languageOf } from './language.ts';
import { leadingTitle, statedName, withoutName } from './name.ts';
import { objectIn } from './object-in.ts';
import { businessIn } from './site.ts';
import { entriesIn } from './stated-entries.ts';
import { surveyQuestions } from './survey.ts';
import { namedTrade } from './trade-name.ts';
import { corrected } from './typos.ts';

/** What a prompt asks for, before anything is made of it. */
export interface AppRequest {
  /** The prompt, its misspellings corrected. */
  readonly prompt: string;
  /** The same without who asks and without the app's name: “Snake Pit” is a bar. */
  readonly wish: string;
  readonly lang: Lang;
  /** The name that the prompt gives the app. */
  readonly name: string | null;
  /** What was read differently than it is written. */
  readonly corrections: readonly string[];
  readonly template: TemplateName;
  /** Which of its template; empty where the template alone was read. */
  readonly variant: string;
  /** The template was guessed. */
  readonly guessed: boolean;
  /** The prompt leaves open what to build. */
  readonly open: boolean;
  /** What is to be kept track of, if it is something that the lexicon knows. */
  readonly thing: EntityFound | null;
  /** What the prompt puts on its list; the wish is without them. */
  readonly entries: readonly string[];
  /** The number that is to be reached; the wish is without it. */
  readonly goal: string | null;
}

/** Templates in which something is counted from day to day. */
const reached: ReadonlySet<TemplateName> = new Set(['tracker', 'habits', 'dashboard', 'notes']);

/** “I am a project manager and …” says who asks, not what for. */
const persona =
  /^(?:(?:hi|hello|hey|hallo|hola|bonjour)[,!. ]+)?(?:i[’']?m|i am|ich bin|soy|je suis) (?:an? |eine? |una? |une? )?[\p{L} -]{3,40}?(?:,| and| und| y| et)\s(?=.{8})/iu;

/** Reads a prompt. A template that is given is taken instead of the one that is read. */
export function requestIn(rawPrompt: string, givenTemplate?: TemplateName): AppRequest {
  const written = cleanPrompt(rawPrompt);
  const name = statedName(written);
  const { text: prompt, changes: corrections } = corrected(written, name, languageOf(written));
  const lang = languageOf(prompt);
  const asked = prompt.replace(persona, '');
  const named = name ? withoutName(asked, name) || asked : asked;
  const goal = goalIn(named, lang);
  const aimed = goal ? readWish(goal.rest, lang, givenTemplate) : null;
  if (goal && aimed && !aimed.guessed && reached.has(aimed.template))
    return { ...aimed, prompt, lang, name, corrections, entries: [], goal: goal.text };
  const listed = givenTemplate === undefined || givenTemplate === 'tracker' ? entriesIn(named, lang) : null;
  if (listed) {
    const found = readWish(listed.rest, lang, givenTemplate);
    if (found.template === 'tracker')
      return { ...found, prompt, lang, name, corrections, entries: listed.entries, goal: null };
  }
  return {
    ...readWish(named, lang, givenTemplate),
    prompt,
    lang,
    name: name ?? leadingTitle(prompt),
    corrections,
    entries: [],
    goal: null,
  };
}

/** What is read without knowing who asks and how the app is to be called. */
function readWish(wish: string, lang: Lang, givenTemplate: TemplateName | undefined) {
  const manyFields = statedFields(wish, lang).fields.length >= 3;
  // With fields of its own a thing needs none of the lexicon, so the word of the prompt counts.
  const told = manyFields ? (objectIn(wish, lang) ?? entityIn(beforeList(wish))) : null;
  const thing = told ?? (manyFields && beforeList(wish) !== wish ? null : lentIn(wish, lang));
  const read = readTemplate(wish, thing);
  const listed = manyFields && mayBeTracker(read, wish);
  const template = givenTemplate ?? (listed ? 'tracker' : read.template);
  // Several questions are no poll.
  const several = template === 'form' && read.variant === 'poll' && surveyQuestions(wish, lang).length > 1;
  const open = read.guessed && !listed && !givenTemplate;
  return {
    wish,
    template,
    // A variant that was read belongs to the template that was read.
    variant: template === read.template ? (several ? 'form' : read.variant) : '',
    guessed: read.guessed,
    open,
    // Who leaves everything open gets tasks to do.
    thing: open && template === 'tracker' ? entityIn('task') : thing,
  };
}

/** “Who borrowed my board games” keeps board games, with the fields of what is lent out. */
function lentIn(wish: string, lang: Lang): EntityFound | null {
  const thing = entityIn(wish);
  const names = thing?.entry?.id === 'loan' ? objectIn(wish, lang)?.names : undefined;
  return thing && names ? { ...thing, names } : thing;
}

function readTemplate(wish: string, thing: EntityFound | null) {
  const trade = businessIn(wish);
  const named = namedTrade(wish);
  // In “coffee shop”, coffee is not what is kept track of.
  const inTrade =
    thing !== null &&
    (within(thing.text, named?.name) ||
      (trade !== null && trade.text.length > thing.text.length && within(thing.text, trade.text)));
  const at = inTrade ? null : (thing?.at ?? null);
  return templateOf(wish, at, trade?.at ?? named?.at ?? null, thing?.measured ?? false);
}

const within = (text: string, whole: string | undefined) =>
  whole?.toLowerCase().includes(text.toLowerCase()) ?? false;
