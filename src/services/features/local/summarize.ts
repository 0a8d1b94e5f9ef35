import { rank } from './keywords.ts';
import { detectLanguage, languageName } from './language.ts';
import { sentencesOf } from './sentences.ts';
import { stopWordsOf } from './stop-words.ts';
import type { LocalOutcome } from './words.ts';
import { isContent, isUnspaced, wordsOf } from './words.ts';

interface Input {
  readonly text: string;
  readonly style: 'paragraph' | 'bullets' | 'headline';
  readonly length: 'short' | 'medium' | 'long';
  readonly language?: string;
}

const sentences = { short: 2, medium: 4, long: 8 } as const;

/** A word in more sentences than this ties nothing together, and would take the square of it in time. */
const commonest = 200;

/** The sentences that carry the text, word for word and in their order: TextRank over the words that they share. */
export function summarize({ text, style, length, language: wanted }: Input): LocalOutcome {
  const { language } = detectLanguage(text);
  if (wanted !== undefined && (language === null || !isLanguage(wanted, language))) {
    const own = language === null ? '' : `, which seems to be ${languageName(language)}`;
    return { modelRequired: `can only summarize in the language of the text itself${own}` };
  }
  const all = [...new Set(sentencesOf(text, language))];
  const count = style === 'headline' ? 1 : sentences[length];
  const chosen = all.length <= count ? all : best(all, language, count);
  // Nothing could be left out, as in a text of two sentences or a row of emoji.
  if (chosen.length === all.length && (style !== 'bullets' || all.length === 0)) {
    return { output: { summary: text.trim() || text } };
  }
  if (style === 'bullets')
    return { output: { summary: chosen.map((line) => `- ${unmarked(line)}`).join('\n') } };
  return { output: { summary: chosen.map(unmarked).join(isUnspaced(language) ? '' : ' ') } };
}

/** A sentence without the mark of a list or heading before it. */
function unmarked(sentence: string): string {
  return sentence.replace(/^(?:[-*•]|#{1,6}|\d+[.)])\s+/, '');
}

function best(all: readonly string[], language: string | null, count: number): string[] {
  const stopWords = stopWordsOf(language);
  const bags = all.map(
    (sentence) =>
      new Set(
        wordsOf(sentence, language)
          .filter((word) => isContent(word, stopWords))
          .map(({ key }) => key),
      ),
  );
  const ranks = rank(graphOf(bags));
  const weight = (index: number) => {
    // News and mails say first what matters; a heading or a cry of two words seldom sums anything up.
    const early = 1 + 0.3 / (1 + index);
    const brief = (bags[index]?.size ?? 0) < 3 ? 0.4 : 1;
    return (ranks[index] ?? 0) * early * brief;
  };
  return all
    .map((sentence, index) => ({ sentence, index, weight: weight(index) }))
    .sort((one, other) => other.weight - one.weight || one.index - other.index)
    .slice(0, count)
    .sort((one, other) => one.index - other.index)
    .map(({ sentence }) => sentence);
}

/** Sentences are tied by the words that they share, the rarer the more, set against their lengths. */
function graphOf(bags: readonly ReadonlySet<string>[]): Map<number, number>[] {
  const holders = new Map<string, number[]>();
  bags.forEach((bag, index) => {
    for (const key of bag) holders.set(key, [...(holders.get(key) ?? []).slice(0, commonest), index]);
  });
  const graph = bags.map(() => new Map<number, number>());
  for (const indexes of holders.values()) {
    if (indexes.length < 2 || indexes.length > commonest) continue;
    const rarity = Math.log(1 + bags.length / indexes.length);
    for (const one of indexes) {
      for (const other of indexes) {
        if (one === other) continue;
        const lengths = Math.log(1 + (bags[one]?.size ?? 0)) + Math.log(1 + (bags[other]?.size ?? 0));
        const edges = graph[one];
        edges?.set(other, (edges.get(other) ?? 0) + rarity / lengths);
      }
    }
  }
  return graph;
}

/**
 * Whether what a caller calls a language is the language of this code: by code ("de", "de-AT") or by name, in English
 * or in the language itself. Another script than the usual one is another thing: it would have to be converted.
 */
function isLanguage(asked: string, code: string): boolean {
  const name = asked.trim().toLowerCase();
  const own = new Intl.DisplayNames([code], { type: 'language' }).of(code);
  if (name === languageName(code).toLowerCase() || name === own?.toLowerCase()) return true;
  const locale = localeOf(name);
  return locale?.language === code && locale.script === new Intl.Locale(code).maximize().script;
}

function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag.replaceAll('_', '-')).maximize();
  } catch {
    return null;
  }
}
