import { type Lang, type TemplateName, templateNames } from '../spec.ts';
import type { Token } from './draft.ts';
import type { KindFound } from './kind-of.ts';
import type { Lexicon } from './lexicon.ts';
import { fold, Phrases } from './phrases.ts';
import type { Unserved } from './reading.ts';
import type { NounPhrase } from './request.ts';
import { yamlFile } from './yaml-file.ts';

interface Impossible {
  readonly id: string;
  /** It is what an app would be, not only a part of one. */
  readonly head?: boolean;
  readonly nearest: readonly TemplateName[];
  readonly words: Readonly<Record<Lang, readonly string[]>>;
}

/** Something that no kind does, with the tokens that ask for it. */
export interface ImpossibleFound extends Impossible {
  readonly from: number;
  readonly to: number;
}

const all = yamlFile(new URL('impossible.yaml', import.meta.url)) as readonly Impossible[];
const tables = new Map<Lang, Phrases<Impossible>>();

function tableOf(lang: Lang): Phrases<Impossible> {
  const known = tables.get(lang);
  if (known) return known;
  const table = new Phrases(
    all.flatMap((entry) => entry.words[lang].map((word) => [word, entry] as const)),
    lang,
  );
  tables.set(lang, table);
  return table;
}

const minEnding = 4;

/** What a prompt asks for that no kind does. */
export function impossibleIn(
  tokens: readonly Token[],
  quoted: ReadonlySet<number>,
  lang: Lang,
): ImpossibleFound[] {
  const table = tableOf(lang);
  return tokens.flatMap((token, index) => {
    if (quoted.has(index)) return [];
    const phrase = table.at(tokens, index);
    const [entry] = phrase?.values ?? (lang === 'de' ? compound(token) : []);
    return entry ? [{ ...entry, from: index, to: index + (phrase?.length ?? 1) }] : [];
  });
}

const compound = ({ lower }: Token): readonly Impossible[] =>
  all.filter(({ words }) =>
    words.de.some(
      (word) => word.length > minEnding && lower.length > word.length + 1 && fold(lower).endsWith(fold(word)),
    ),
  );

const anyKind: readonly TemplateName[] = ['tracker', 'notes', 'form'];

/**
 * Whether what is asked for is of no kind: its head is something impossible, or a noun that no kind has among its cues
 * while no fields say what to keep of it.
 */
export function unservedIn(
  tokens: readonly Token[],
  object: NounPhrase | null,
  kind: KindFound | null,
  impossible: readonly ImpossibleFound[],
  described: boolean,
  listed: (index: number) => boolean,
  prompt: string,
  lexicon: Lexicon,
): Unserved | null {
  const say = (from: number, to: number, nearest: readonly TemplateName[]): Unserved => {
    const head = prompt.slice(tokens[from]?.start, tokens[to - 1]?.end).slice(0, 60);
    return {
      head,
      nearest: nearest.filter((kind) => templateNames.includes(kind)),
      message: lexicon.data.messages.unserved.replace('{head}', () => head),
    };
  };
  const generic =
    object === null ||
    lexicon.generic.has(tokens[object.head]?.lemma ?? '') ||
    lexicon.generic.has(tokens[object.head]?.lower ?? '');
  const hard = impossible.filter((found) => found.head === true && !listed(found.from));
  const covering = hard.find(({ from, to }) => object !== null && to > object.from && from < object.to);
  const first = covering ?? hard[0];
  const served =
    kind?.heads === true &&
    !(covering && coversHead(covering, object) && covering.to - covering.from >= longestHead(kind));
  if (first && !served && (covering || generic || !kind || (kind.score < 8 && !described))) {
    const nearest = [...new Set([...first.nearest, ...(kind ? [kind.kind as TemplateName] : [])])];
    const whole =
      covering && object && lexicon.lang === 'en'
        ? { from: Math.min(object.from, first.from), to: Math.max(object.head + 1, first.to) }
        : first;
    return say(whole.from, whole.to, nearest);
  }
  const before = tokens[(object?.from ?? 0) - 1];
  const asked = object?.from === 0 || before?.pos === 'determiner' || lexicon.asking.has(before?.lower ?? '');
  if (kind || described || generic || !object || !asked) return null;
  return lexicon.lang === 'en'
    ? say(object.from, object.head + 1, anyKind)
    : say(object.head, object.head + 1, anyKind);
}

const coversHead = ({ from, to }: ImpossibleFound, object: NounPhrase | null) =>
  object !== null && from <= object.head && object.head < to;

const longestHead = ({ cues }: KindFound) =>
  Math.max(
    0,
    ...cues
      .filter(({ cues: found }) => found.some((cue) => cue.class === 'heads'))
      .map(({ from, to }) => to - from),
  );
