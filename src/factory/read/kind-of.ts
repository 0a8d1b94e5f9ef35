import type { PartOfSpeech, Token } from './draft.ts';
import type { Cue, CueClass, CueTable } from './kinds.ts';
import type { Lexicon } from './lexicon.ts';
import { fold } from './phrases.ts';
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
  /** One of them heads what is asked for. */
  readonly heads: boolean;
  readonly score: number;
}

interface Tally {
  score: number;
  heads: boolean;
  readonly variants: Map<string, number>;
  readonly cues: CueFound[];
}

const weights: Readonly<Record<CueClass, number>> = { heads: 10, verbs: 4, things: 2.5, subjects: 0 };
const atHead = 3;
/** “Page” and “site” alone say little of what they are; “FAQ page” says it. */
const genericHead = 0.2;
const inComplement = 0.5;
const inList = 0.25;
const perToken = 0.04;

const small: ReadonlySet<PartOfSpeech> = new Set([
  'preposition',
  'determiner',
  'conjunction',
  'pronoun',
  'mark',
]);

/** All cues of a prompt, the longest at each place. What is quoted speaks for nothing. */
export function cuesIn(tokens: readonly Token[], table: CueTable, quoted: ReadonlySet<number>): CueFound[] {
  const found: CueFound[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    if (quoted.has(index)) continue;
    const phrase = table.phrases.at(tokens, index);
    // Without its accent a noun may be a function word: dé and de.
    if (phrase && (phrase.length > 1 || !small.has(tokens[index]?.pos ?? 'mark'))) {
      found.push({ cues: phrase.values, from: index, to: index + phrase.length, front: '' });
      index += phrase.length - 1;
      continue;
    }
    const compound = compoundAt(tokens[index], table);
    if (compound) found.push({ ...compound, from: index, to: index + 1 });
  }
  return found;
}

/** The longest ending of a verb. */
const maxEnding = 4;
const minFront = 2;

function compoundAt(
  token: Token | undefined,
  { endings, stems }: CueTable,
): Pick<CueFound, 'cues' | 'front'> | null {
  if (!token || !/noun|name|verb|adjective/.test(token.pos)) return null;
  const lower = fold(token.lower);
  const found = endings.find(
    ([ending]) => lower.length - fold(ending).length >= minFront && lower.endsWith(fold(ending)),
  );
  if (!found) {
    const verbs =
      token.pos === 'name'
        ? []
        : stems.filter(([stem]) => lower.startsWith(stem) && lower.length - stem.length <= maxEnding);
    return verbs.length > 0 ? { cues: verbs.map(([, cue]) => cue), front: '' } : null;
  }
  const [ending, cues] = found;
  return { cues, front: token.text.slice(0, token.text.length - ending.length).replace(/-$/, '') };
}

/**
 * The kind that the cues speak for. What heads the phrase that is asked for counts most, then what stands early; what
 * stands in a list counts least. Null without any cue.
 */
export function kindOf(
  cues: readonly CueFound[],
  object: NounPhrase | null,
  listed: (index: number) => boolean,
  lexicon: Lexicon,
  tokens: readonly Token[],
  described: string | null,
  wanted?: string,
): KindFound | null {
  const scores = new Map<string, Tally>();
  const generic = object !== null && lexicon.generic.has(tokens[object.head]?.lower ?? '');
  for (const found of cues) {
    const covers = object !== null && found.from <= object.head && object.head < found.to;
    const inObject = object !== null && found.from >= object.from && found.to <= object.to;
    for (const cue of found.cues) {
      const isHead = cue.class === 'heads';
      const place =
        covers && isHead
          ? generic && found.to - found.from === 1
            ? genericHead
            : atHead
          : inObject && generic
            ? atHead / 2
            : listed(found.from)
              ? inList
              : isHead && object !== null && !generic && found.from > object.to
                ? inComplement
                : 1;
      const early = 1 / (1 + perToken * found.from);
      const long = 1 + 0.25 * (found.to - found.from - 1) + (found.front === '' ? 0 : -0.1);
      const entry: Tally = scores.get(cue.kind) ?? { score: 0, variants: new Map(), cues: [], heads: false };
      const weight = weights[cue.class] * place * early * long;
      const seen = entry.cues.includes(found);
      // A kind and its variant often have the same cue: it counts once.
      if (!seen) entry.cues.push(found);
      entry.score += seen ? 0.1 * weight : weight;
      entry.heads ||= covers && isHead;
      if (cue.variant !== '')
        entry.variants.set(cue.variant, (entry.variants.get(cue.variant) ?? 0) + weight);
      scores.set(cue.kind, entry);
    }
  }
  if (described !== null) {
    const entry: Tally = scores.get(described) ?? { score: 0, variants: new Map(), cues: [], heads: false };
    scores.set(described, { ...entry, score: entry.score + weights.things });
  }
  const ranked = [...scores]
    .filter(([kind, { score }]) => (wanted === undefined ? score > 0 : kind === wanted))
    .toSorted(([, a], [, b]) => b.score - a.score);
  const [best] = ranked;
  if (!best) return null;
  const [kind, { score, variants, cues: own, heads }] = best;
  const [variant = ''] = [...variants].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return { kind, variant, cues: own, heads, score };
}
