import { eld } from 'eld/extrasmall';
import type { Lang } from '../spec.ts';
import { type CueTable, endOf, impossibleCues } from './cues.ts';
import type { Span, Token } from './draft.ts';
import type { Kinds } from './kinds.ts';
import { languageNamed, readLangs } from './language-data.ts';
import { lexiconOf, type TaggedPrompt } from './lexicon.ts';
import { fold } from './phrases.ts';
import { spanFrom } from './spans.ts';
import { wordToken } from './tag.ts';

export interface LanguageFound {
  readonly lang: Lang;
  /** The prompt is in a language that apps are not written in. */
  readonly foreign: boolean;
  /** Two languages have the same words: `calculadora de imc`. */
  readonly isGuess: boolean;
}

/** How much a trigram model's opinion weighs beside words that are known for certain. */
const modelWeight = 2;
/** A model of trigrams knows little of a few words. */
const modelWeightPerWord = 0.25;
/** By less than this no language is ahead of English: all words are shared, and the model has guessed. */
const minLead = 0.05;
/** By less than this one language is not ahead of another. */
const minDifference = 0.02;
const weights = { closed: 1, asking: 1, cue: 1.5, type: 0.8 } as const;

/** The language of a prompt, by the words that only some languages have and by a trigram model; else English. */
export function languageOf(prompt: string, kinds: Kinds): LanguageFound {
  const words = (prompt.toLowerCase().match(/\p{L}+(?:['’]\p{L}*)?/gu) ?? []).slice(0, 120);
  const spelt = words.map(wordToken);
  const scores = Object.fromEntries(readLangs.map((lang) => [lang, 0])) as Record<Lang, number>;
  let known = 0;
  const weigh = (tableOf: (lang: Lang) => CueTable) => {
    for (const [index, word] of words.entries()) {
      const having = readLangs
        .map((lang) => [lang, weightOf(word, spelt.slice(index), lang, tableOf(lang))] as const)
        .filter(([, weight]) => weight > 0);
      if (having.length > 0) known += 1;
      for (const [lang, weight] of having) scores[lang] += weight / Math.sqrt(having.length);
    }
  };
  weigh(kinds.cues);
  // Nothing but what no kind does: “paiement PayPal”.
  if (known === 0) weigh(impossibleCues);
  const model = eld.detect(prompt).getScores() as Record<string, number>;
  // English has no accents.
  if (/[à-öø-ÿœ]/u.test(prompt.toLowerCase())) scores.en -= weights.closed;
  // Of one word the model knows nothing at all: “minesweeper” looks Portuguese to it, and “landing page” French.
  const isTied = words.length < minWords && readLangs.every((lang) => scores[lang] <= scores.en);
  const trust = words.length < 2 || isTied ? 0 : Math.min(modelWeight, words.length * modelWeightPerWord);
  const best = Math.max(0.001, ...Object.values(model));
  for (const lang of readLangs) scores[lang] += (trust * (model[lang] ?? 0)) / best;
  const order = readLangs.toSorted((a, b) => scores[b] - scores[a] || (a === 'en' ? -1 : 1));
  const foreign = isForeign(prompt, words.length, known, model);
  const [first = 'en', second = 'en'] = order;
  const isGuess = first !== 'en' && scores[first] - scores[second] < minDifference;
  return { lang: foreign || scores[first] - scores.en < minLead ? 'en' : first, foreign, isGuess };
}

const minLetters = 12;
/** Fewer words are a name or a keyword. */
const minWords = 4;
/** At most this part of the words of a foreign prompt is also a word of one of ours. */
const maxKnown = 0.34;

function isForeign(prompt: string, words: number, known: number, model: Record<string, number>): boolean {
  const letters = prompt.match(/\p{L}/gu)?.length ?? 0;
  const latin = prompt.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters >= 3 && latin < letters / 2) return true;
  if (letters < minLetters || words < minWords || known > words * maxKnown) return false;
  const [top] = Object.entries(model).toSorted(([, a], [, b]) => b - a);
  return top !== undefined && !readLangs.includes(top[0] as Lang);
}

function weightOf(word: string, from: readonly Token[], lang: Lang, table: CueTable): number {
  const lexicon = lexiconOf(lang);
  if (lexicon.closed.has(word) || lexicon.closed.has(word.replace('’', "'"))) return weights.closed;
  if (lexicon.asking.has(word) || lexicon.generic.has(word) || lexicon.naming.has(word))
    return weights.asking;
  if (table.phrases.at(from, 0)) return weights.cue;
  if (word.length > 6 && endOf(word, table, 3)) return weights.cue;
  return lexicon.fieldWords.has(fold(word)) ? weights.type : 0;
}

/** The language that an app shall have, with the words that say so. */
export interface LanguageAsked extends Span {
  /** ISO 639. */
  readonly code: string;
}

const isLanguage = /^(?:language|sprache|langue|lengua|lingua|língua|idioma)$/;

/**
 * The language that a prompt asks an app to be in: “a shopping list in German”, “auf Englisch”. Null where it names
 * several, and where something in the app is in that language: “films in French”, “in German history”.
 *
 * @param depths how deep in parentheses or quotation marks each token stands
 */
export function languageAsked(text: TaggedPrompt, depths: readonly number[]): LanguageAsked | null {
  const { tokens, lexicon } = text;
  const { lang, asking, fillers, data } = lexicon;
  const found = tokens.flatMap(({ lower }, index): LanguageAsked[] => {
    if (depths[index] !== 0 || !/^(?:in|auf|en|em)$/.test(lower)) return [];
    const isSaid = (at: number) => isLanguage.test(tokens[at]?.lower ?? '');
    let at = index + 1;
    while (tokens[at]?.pos === 'determiner' || isSaid(at)) at += 1;
    const code = languageNamed(tokens[at]?.text ?? '', lang);
    if (isSaid(at + 1)) at += 1;
    const [last, named, next] = [tokens[index - 1], tokens[at], tokens[at + 1]];
    const goesOn =
      (/^[?=]$/.test(next?.text ?? '') || /^(?:noun|name|number|adjective)$/.test(next?.pos ?? '')) &&
      !asking.at(tokens, at + 1) &&
      !fillers.at(tokens, at + 1);
    const isSpoken = data.spoken.some((noun) => last?.lemma === noun || last?.lower.endsWith(noun));
    return named && code && !goesOn && !isSpoken ? [{ code, ...spanFrom(text, index, at + 1) }] : [];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}
