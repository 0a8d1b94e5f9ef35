import { yamlFile } from '../../../../lib/yaml-file.ts';
import type { Token } from '../../../read/draft.ts';
import { type Phrases, phraseSet } from '../../../read/phrases.ts';
import type { Lang } from '../../../spec.ts';

const names = [
  'from',
  'gives',
  'many',
  'count',
  'times',
  'over',
  'plus',
  'minus',
  'equals',
  'per',
  'in',
  'sum',
  'product',
  'difference',
  'ratio',
  'average',
  'added',
  'taken',
  'edges',
  'app',
] as const;
type Name = (typeof names)[number];

/** The words of a language that formulas are written with, ready to be looked up. */
export interface Grammar extends Readonly<Record<Name, Phrases<true>>> {
  readonly lang: Lang;
  /** What a result is called that has no name. */
  readonly result: string;
}

type Data = Readonly<Record<Name, readonly string[]>> & { readonly result: string };
const data = yamlFile(new URL('grammar.yaml', import.meta.url)) as Readonly<Record<Lang, Data>>;
const made = new Map<Lang, Grammar>();

export function grammarOf(lang: Lang): Grammar {
  const found = made.get(lang);
  if (found) return found;
  const words = data[lang];
  const grammar = {
    ...(Object.fromEntries(names.map((name) => [name, phraseSet(words[name], lang)])) as Record<
      Name,
      Phrases<true>
    >),
    lang,
    result: words.result,
  };
  made.set(lang, grammar);
  return grammar;
}

/** Without words at both ends that say nothing of what it is: articles, verbs of asking, marks. */
export function bare(tokens: readonly Token[], { edges, app, lang }: Grammar): readonly Token[] {
  let from = 0;
  let to = tokens.length;
  const small = (token: Token | undefined) =>
    token !== undefined &&
    ((token.pos === 'mark' && !/^[%€$£#()²³]$/.test(token.text)) ||
      token.pos === 'pronoun' ||
      token.pos === 'determiner' ||
      token.pos === 'conjunction' ||
      edges.has(token.lower) ||
      isApp(token, app, lang));
  const begins = (token: Token | undefined) =>
    small(token) || token?.pos === 'preposition' || token?.text === ')';
  while (from < to && begins(tokens[from])) from += 1;
  while (to > from && (small(tokens[to - 1]) || tokens[to - 1]?.pos === 'preposition')) to -= 1;
  return tokens.slice(from, to);
}

const minFront = 3;

/** Whether a word names the app: `calculator`, in German the end of `Betonrechner` too. */
export const isApp = ({ lower, lemma }: Token, app: Phrases<true>, lang: Lang): boolean =>
  app.has(lower) ||
  app.has(lemma) ||
  (lang === 'de' && lower.length > 'rechner'.length + minFront && lower.endsWith('rechner'));
