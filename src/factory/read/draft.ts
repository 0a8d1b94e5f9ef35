import type { AppSpec, FieldType, Lang, TemplateName } from '../spec.ts';

/** Where something stands in the cleaned prompt. */
export interface Stretch {
  /** The first character, counted in UTF-16 units from 0. */
  readonly start: number;
  /** The one after the last character. */
  readonly end: number;
}

/** A stretch of the cleaned prompt: `prompt.slice(start, end)`, without the quotation marks of quoted text. */
export interface Span extends Stretch {
  readonly text: string;
}

export type PartOfSpeech =
  | 'noun'
  | 'name'
  | 'verb'
  | 'adjective'
  | 'adverb'
  | 'pronoun'
  | 'determiner'
  | 'preposition'
  | 'conjunction'
  | 'number'
  | 'mark';

/** A word, a number or a punctuation mark. */
export interface Token extends Span {
  /** The word in small letters. */
  readonly lower: string;
  /** The base form in small letters: `expenses` → `expense`. Equal to `lower` where nothing better is known. */
  readonly lemma: string;
  readonly pos: PartOfSpeech;
}

/** A noun with what belongs to it: `overdue library books`, without articles and possessives. */
export interface Phrase extends Span {
  /** The base form of its head: `book`. */
  readonly head: string;
  /** For one thing: `library book`. As the prompt writes it where the language's plural is not known. */
  readonly singular: string;
  readonly plural: string;
}

/** Things that a prompt lists: `a, b and c`. */
export interface List extends Span {
  /** The lemma of the word that introduces it (`with`, `column`, `field`, `item`, `player`); empty where none does. */
  readonly intro: string;
  readonly items: readonly ListItem[];
}

export interface ListItem extends Span {
  /** What stands in parentheses or behind a colon, split at commas: `status (todo, done)`. */
  readonly options: readonly string[];
  /** The price or time that stands with it: `espresso €2.50`; its text is no longer part of `text`. */
  readonly price: Price | null;
  readonly time: Time | null;
  /** Whether a question mark follows, perhaps that of the whole sentence. */
  readonly asked?: boolean;
}

/** A field that the prompt lists. Its label begins with a capital and has no article, possessive or verb before it. */
export interface DraftField extends Span {
  readonly label: string;
  readonly type: FieldType;
  readonly options: readonly string[];
  /** Where the prompt says so. */
  readonly required?: boolean;
}

/** A number with its unit. */
export interface Quantity extends Span {
  readonly value: number;
  /**
   * The unit in one form for all languages: `minute`, `second`, `hour`, `day`, `week`, `month`, `year`, `percent`,
   * `kilometre` …; the lemma of the noun behind it where it is none of those (`player`, `round`); empty without either.
   */
  readonly unit: string;
}

export interface Price extends Span {
  readonly amount: number;
  /** As it is shown: `€2.50`. */
  readonly shown: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** A date: `2027-07-12`, `@07-12` where no year is said, `@+7` for days from today. */
export interface DraftDate extends Span {
  readonly value: string;
}

/** A time of day, `HH:MM`, with an end where a range is said. */
export interface Time extends Span {
  readonly from: string;
  readonly to: string;
}

/** A currency that is named without an amount: the `yen` of `expenses in yen`. */
export interface NamedCurrency extends Span {
  /** ISO 4217. */
  readonly currency: string;
}

/** Opening hours as the prompt says them, as the spec shows them: `Tue–Sat`, `07:00–13:00`. */
export interface Hours extends Span {
  readonly days: string;
  readonly time: string;
}

export interface Facts {
  readonly prices: readonly Price[];
  readonly currencies: readonly NamedCurrency[];
  readonly hours: readonly Hours[];
  readonly dates: readonly DraftDate[];
  /** Times of day that are no opening hours. */
  readonly times: readonly Time[];
  readonly emails: readonly Span[];
  readonly phones: readonly Span[];
  readonly urls: readonly Span[];
  readonly addresses: readonly Span[];
  /** Where something takes place: `in Riverside Park`, without the preposition. */
  readonly places: readonly Span[];
}

/** What was understood of a prompt before its kind has its say. All spans are in the order of the prompt. */
export interface Draft {
  /** The cleaned prompt. */
  readonly prompt: string;
  readonly lang: Lang;
  readonly kind: TemplateName;
  /** What the cues of the kind say; empty where none of its variants is named. */
  readonly variant: string;
  readonly tokens: readonly Token[];
  /** What the app is about or keeps: `expense` of `an expense tracker`, `the planets` of `a quiz about the planets`. */
  readonly subject: Phrase | null;
  /** The name that the prompt gives; null where it gives none. */
  readonly name: string | null;
  /** The fields that it lists; empty where it lists none. */
  readonly fields: readonly DraftField[];
  readonly lists: readonly List[];
  readonly facts: Facts;
  /** Numbers that are no price, date, time, telephone number or part of an address. */
  readonly quantities: readonly Quantity[];
  /** Quoted texts that are not the name. */
  readonly quoted: readonly Span[];
  /** ISO 4217, of the prompt or else of its language. */
  readonly currency: string;
}

/**
 * What a kind makes of a draft. What it leaves out the reader fills in: name, tagline, lang, palette, currency and
 * empty lists. `name` and `tagline` are what an app of this kind is called where the prompt does not say it.
 */
export interface Composition {
  readonly spec: Partial<Omit<AppSpec, 'v' | 'kind' | 'lang' | 'currency' | 'assumptions' | 'palette'>>;
  /** What was supposed because nobody said it, in the language of the draft; at most a few short sentences. */
  readonly assumptions: readonly string[];
  /**
   * What the spec holds in another form than the prompt writes it, such as `twice as many`. Facts and quantities need
   * not be here: their values are looked for in the spec.
   */
  readonly taken?: readonly Span[];
}

/**
 * What `kinds/<kind>/compose.ts` exports as `compose`.
 *
 * @param content what the kind's `texts.yaml` has as `content` for the language of the draft
 */
export type Compose<Content = unknown> = (draft: Draft, content: Content) => Composition;

export interface ReadOptions {
  /** Takes the kind as given instead of reading it from the prompt. */
  readonly kind?: TemplateName;
  /** Takes the language as given. */
  readonly lang?: Lang;
  /** What is not taken up is reckoned against this spec in place of the one that the prompt leads to. */
  readonly against?: AppSpec;
}

/** What was understood of a prompt, and what was not. */
export interface Reading {
  readonly spec: AppSpec;
  /** Words, numbers, names and quoted texts of the prompt that the spec has no place for, in their order. */
  readonly notTakenUp: readonly string[];
  /** What was asked for and no kind serves; null where one does. */
  readonly unserved: Unserved | null;
  /** What the rules are not sure of, with the kinds that it may be; null or left out where they are. */
  readonly doubt?: Unserved | null;
}

/** Whether a plan is what was asked for, for all that whoever made it can tell. */
export const isSure = ({ unserved, doubt = null }: Pick<Reading, 'unserved' | 'doubt'>): boolean =>
  unserved === null && doubt === null;

export interface Unserved {
  /** The rules are not sure which kind serves it; left out where none does. */
  readonly reason?: 'unsure';
  /** What was asked for, as the prompt says it. */
  readonly head: string;
  /** The kinds that come nearest, the best first. */
  readonly nearest: readonly TemplateName[];
  /** For people, in the language of the prompt. */
  readonly message: string;
}
