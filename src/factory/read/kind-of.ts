import { type Cue, type CueClass, type CueTable, endOf } from './cues.ts';
import type { Token } from './draft.ts';
import { singularOf } from './language-data.ts';
import type { TaggedPrompt } from './lexicon.ts';
import type { NounPhrase } from './request.ts';

/** A cue with the tokens that it stands on. */
export interface CueFound {
  readonly cues: readonly Cue[];
  readonly from: number;
  readonly to: number;
  /** The front of a German compound whose end is the cue: `Ausgaben` of `Ausgabenliste`. */
  readonly front: string;
}

export interface KindFound {
  readonly kind: string;
  readonly variant: string;
  /** The cues of that kind. */
  readonly cues: readonly CueFound[];
  /** All kinds that something speaks for, the best first. */
  readonly ranked: readonly { readonly kind: string; readonly score: number }[];
}

/** Fields are described that this kind keeps. */
export interface Described {
  readonly kind: string;
  /** Some are dates, numbers and the like. */
  readonly sure: boolean;
}

/** Kinds that keep texts without fields: a notebook with date, place and weight is a tracker. */
const bare: ReadonlySet<string> = new Set(['notes']);

interface Tally {
  score: number;
  readonly variants: Map<string, number>;
  readonly cues: CueFound[];
}

const weights: Readonly<Record<CueClass, number>> = {
  heads: 10,
  verbs: 4,
  things: 2.5,
  subjects: 0,
  traits: 0,
  parts: 0,
};
const atHead = 3;
const inComplement = 0.5;
const inList = 0.25;
const perToken = 0.04;

type Tables = readonly CueTable[];

/** All cues of a prompt, the longest of the tables at each place. What is quoted speaks for nothing. */
export function cuesIn(text: TaggedPrompt, tables: Tables, quoted: ReadonlySet<number>): CueFound[] {
  const found: CueFound[] = [];
  for (let index = 0; index < text.tokens.length; index += 1) {
    if (quoted.has(index)) continue;
    const cue = phraseIn(text, index, tables) ?? compoundIn(text, index, tables);
    if (!cue) continue;
    found.push(cue);
    index = cue.to - 1;
  }
  return found;
}

const isNoun = (token: Token | undefined) => token?.pos === 'noun' || token?.pos === 'name';

function phraseIn({ tokens, lexicon }: TaggedPrompt, index: number, tables: Tables): CueFound | null {
  const { closed, lang } = lexicon;
  const token = tokens[index];
  const phrases = tables.flatMap(({ phrases }) => phrases.at(tokens, index) ?? []);
  const length = Math.max(0, ...phrases.map((phrase) => phrase.length));
  // Without its accent a noun may be a function word: dé and de.
  if (!token || length === 0 || (length === 1 && closed.has(token.lower))) return null;
  const noun =
    lang === 'en' &&
    isNoun(token) &&
    (isNoun(tokens[index - 1]) || /determiner|adjective/.test(tokens[index - 1]?.pos ?? ''));
  const all = phrases.filter((phrase) => phrase.length === length).flatMap(({ values }) => values);
  // “I note who comes” does, “my notes” names.
  const does = token.pos === 'verb' && all.some((cue) => cue.class === 'verbs');
  const cues = all.filter(({ class: cueClass, never }) =>
    cueClass === 'verbs'
      ? !(never === null ? noun && length === 1 : isNoun(token))
      : !does || cueClass !== 'heads',
  );
  return cues.length > 0 ? { cues, from: index, to: index + length, front: '' } : null;
}

const minFront = 2;

/** The end of a German compound, of the table that knows more of it; its front where the end is “-App”. */
function compoundIn(text: TaggedPrompt, index: number, tables: Tables): CueFound | null {
  const { generic, data } = text.lexicon;
  const token = text.tokens[index];
  if (!token || !/noun|name|verb|adjective/.test(token.pos)) return null;
  const [best] = tables
    .flatMap((table) => endOf(token.lower, table, minFront) ?? [])
    .toSorted((a, b) => b.length - a.length);
  const cut = best ? token.text.length - best.length : token.lower.lastIndexOf('-') + 1;
  const front = token.text.slice(0, Math.max(0, cut)).replace(/-$/, '');
  const place = { from: index, to: index + 1 };
  if (front !== '' && generic.has(token.lower.slice(cut))) {
    const lower = front.toLowerCase();
    const tokens = [{ ...token, lower, lemma: singularOf(lower, data) }];
    const of = phraseIn({ ...text, tokens }, 0, tables);
    if (of) return { ...of, ...place };
  }
  return best ? { cues: best.cues, ...place, front } : null;
}

/** Where in a prompt cues stand, which says what they count. */
export interface Place extends TaggedPrompt {
  /** What is asked for. */
  readonly object: NounPhrase | null;
  /** It is called by a word that says little of what it is. */
  readonly generic: boolean;
  readonly listed: (index: number) => boolean;
}

/** What speaks for a kind, or for what no kind does, more than what it is about. */
const isStrong = (cue: Cue): boolean => /heads|verbs|traits/.test(cue.class);

/**
 * The first cue that says what an app is or does, where its head does not say it: “an app that *tracks* …”, “something to
 * *scan* …”. What a kind is about, in a sentence that ends before, leaves none.
 */
export function firstStrong(cues: readonly CueFound[], place: Place): CueFound | null {
  const { object, generic, tokens, listed, lexicon } = place;
  let sentence = cues[0]?.from ?? 0;
  let about = false;
  for (const found of cues) {
    // An app of any kind is called by this word.
    const isVague = found.to - found.from === 1 && lexicon.generic.has(tokens[found.from]?.lower ?? '');
    if (listed(found.from) || isVague || (generic && object && covers(found, object.head))) continue;
    const ends = tokens.slice(sentence, found.from).some(({ text }) => /^[.!?]$/.test(text));
    if (ends && about) return null;
    sentence = found.from;
    const verb = tokens[found.from]?.pos === 'verb';
    if (found.cues.some((cue) => isStrong(cue) && !(verb && cue.class === 'traits'))) return found;
    about ||= found.cues.some(({ never }) => never === null);
  }
  return null;
}

/**
 * The kind that the cues speak for. What heads the phrase that is asked for counts most, then what stands early; what
 * stands in a list counts least. Null without any cue.
 */
export function kindOf(
  cues: readonly CueFound[],
  place: Place,
  described: Described | null,
  wanted?: string,
): KindFound | null {
  const scores = new Map<string, Tally>();
  const tallyOf = (kind: string): Tally => {
    const tally = scores.get(kind) ?? { score: 0, variants: new Map(), cues: [] };
    scores.set(kind, tally);
    return tally;
  };
  const { object, tokens } = place;
  // “Track my invoices” keeps them.
  const kept =
    object !== null &&
    cues.some(
      ({ cues: found, to }) =>
        found.some((cue) => cue.kind === 'tracker' && cue.class === 'verbs') &&
        to <= object.head &&
        (to > object.from || tokens.slice(to, object.from).every(({ pos }) => pos === 'determiner')),
    );
  const headed =
    object !== null &&
    cues.some((found) => covers(found, object.head) && found.cues.some((cue) => cue.class === 'heads'));
  for (const found of cues) {
    const early = 1 / (1 + perToken * found.from);
    const long = 1 + 0.25 * (found.to - found.from - 1) + (found.front === '' ? 0 : -0.1);
    for (const cue of found.cues) {
      if (cue.never !== null) continue;
      const tally = tallyOf(cue.kind);
      const isKept = kept && covers(found, object.head) && cue.class === 'heads' && cue.kind === 'document';
      const weight = weights[cue.class] * (isKept ? inList : counts(found, cue, place)) * early * long;
      const seen = tally.cues.includes(found);
      // A kind and its variant often have the same cue: it counts once.
      if (!seen) tally.cues.push(found);
      tally.score += seen ? 0.1 * weight : weight;
      if (cue.variant !== '')
        tally.variants.set(cue.variant, (tally.variants.get(cue.variant) ?? 0) + weight);
    }
  }
  if (described !== null)
    tallyOf(described.kind).score += described.sure && !headed ? weights.heads : weights.things;
  const sorted = [...scores]
    .filter(([kind, { score }]) => (wanted === undefined ? score > 0 : kind === wanted))
    .toSorted(([, a], [, b]) => b.score - a.score);
  const [best] = sorted;
  if (!best) return null;
  const kind = bare.has(best[0]) && described?.sure ? described.kind : best[0];
  const { variants, cues: own } = tallyOf(kind);
  const [variant = ''] = [...variants].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return { kind, variant, cues: own, ranked: sorted.map(([name, { score }]) => ({ kind: name, score })) };
}

function counts(found: CueFound, cue: Cue, { object, generic, listed }: Place): number {
  if (object === null) return listed(found.from) ? inList : 1;
  const isHead = cue.class === 'heads';
  if (covers(found, object.head) && isHead) return atHead;
  if (listed(found.from)) return inList;
  return isHead && !generic && found.from > object.to ? inComplement : 1;
}

/** Whether it stands on a token. */
export const covers = ({ from, to }: Pick<CueFound, 'from' | 'to'>, index: number) =>
  from <= index && index < to;
