import { fullStopsOf } from './abbreviations.ts';
import { detectLanguage } from './language.ts';
import { stopWordsOf } from './stop-words.ts';
import { isContent, isUnspaced, type LocalOutcome, type Word, wordsOf } from './words.ts';

/**
 * The pieces into which the segmenter cuts unknown words, such as 公|交 and スマート|フォン, and their maximum length.
 */
const pieced = [
  { piece: /^\p{Script=Han}$/u, maxLength: 4 },
  { piece: /^[\p{Script=Katakana}ー]+$/u, maxLength: 20 },
] as const;

/** Words that stand so near each other belong together. */
const nearness = 3;
const maxPhraseLength = 3;

/** Nothing in them is a word of the text. */
const addresses = /(?:https?:\/\/|www\.)[!-~]+|[\w.+-]{1,64}@[\w.-]{1,255}/g;

/** Words ranked by how they stand together (TextRank), and their runs as phrases. */
export function keywords(input: { readonly text: string; readonly limit: number }): LocalOutcome {
  const { limit } = input;
  const { language } = detectLanguage(input.text);
  const text = input.text.replaceAll(addresses, (address) => ' '.repeat(address.length));
  const stopWords = stopWordsOf(language);
  const unspaced = isUnspaced(language);
  const words = wordsOf(text, language).filter((word) => !isAbbreviation(word, text, language));
  const runs = runsOf(text, unspaced ? withWholeWords(words, stopWords) : words, stopWords);
  const weights = weigh(runs);
  const phrases = new Map<string, { forms: Map<string, number>; count: number; words: readonly string[] }>();
  for (const run of runs) {
    for (const part of partsOf(run)) {
      const words = part.map(({ key }) => key);
      const key = words.join(' ');
      const known = phrases.get(key) ?? { forms: new Map(), count: 0, words };
      const form = formOf(part, text, language);
      known.forms.set(form, (known.forms.get(form) ?? 0) + 1);
      known.count += 1;
      phrases.set(key, known);
    }
  }
  // A phrase that stands once is mostly chance: a pair of words may be a term, where blanks set words apart.
  const maxWords = unspaced ? 1 : 2;
  const terms = [...phrases].filter(
    ([key, { count, words }]) =>
      (count > 1 || words.length <= maxWords) && (!unspaced || [...key].length > 1),
  );
  const scored = terms.map(([key, { forms, count, words }]) => {
    const sum = words.reduce((total, word) => total + (weights.get(word) ?? 0), 0);
    const term = words.length === 1 ? 1 : count > 1 ? 1.3 : 0.55;
    return {
      key,
      words,
      form: commonest(forms),
      score: (sum / words.length ** 0.5) * Math.log2(1 + count) * term,
    };
  });
  scored.sort((one, other) => other.score - one.score || (one.key < other.key ? -1 : 1));
  const chosen: typeof scored = [];
  for (const candidate of scored) {
    if (chosen.length === limit) break;
    if (!chosen.some(({ key }) => overlaps(key, candidate.key))) chosen.push(candidate);
  }
  const top = chosen[0]?.score || 1;
  return {
    output: {
      keywords: chosen.map(({ form, score }) => ({
        keyword: form,
        score: Math.round((score / top) * 100) / 100,
      })),
    },
  };
}

/** Whether it is one of those that stand with other words, such as "Dr." and "p.m.": by itself it says nothing. */
function isAbbreviation({ text: word, at }: Word, text: string, language: string | null): boolean {
  return text[at + word.length] === '.' && fullStopsOf(language).kindOf(word) !== undefined;
}

/** Whether one holds the other, as "solar panels" holds "panels": the better of the two is enough. */
function overlaps(one: string, other: string): boolean {
  return ` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `);
}

/** Runs of content words with nothing but blanks and hyphens between them. */
function runsOf(text: string, words: readonly Word[], stopWords: ReadonlySet<string>): Word[][] {
  const runs: Word[][] = [];
  let run: Word[] = [];
  let end = 0;
  for (const word of words) {
    const joined = /^[ \u00a0\t-]?$/.test(text.slice(end, Math.min(word.at, end + 2)));
    if (run.length > 0 && !joined) {
      runs.push(run);
      run = [];
    }
    end = word.at + word.text.length;
    if (isContent(word, stopWords)) run.push(word);
    else if (run.length > 0) {
      runs.push(run);
      run = [];
    }
  }
  if (run.length > 0) runs.push(run);
  return runs;
}

function weigh(runs: readonly (readonly Word[])[]): Map<string, number> {
  const numbers = new Map<string, number>();
  const graph: Map<number, number>[] = [];
  const before: number[] = [];
  for (const { key } of runs.flat()) {
    const node = numbers.get(key) ?? numbers.size;
    if (!numbers.has(key)) {
      numbers.set(key, node);
      graph.push(new Map());
    }
    for (const other of before) {
      if (other === node) continue;
      graph[node]?.set(other, (graph[node]?.get(other) ?? 0) + 1);
      graph[other]?.set(node, (graph[other]?.get(node) ?? 0) + 1);
    }
    before.push(node);
    if (before.length > nearness) before.shift();
  }
  const ranks = rank(graph);
  return new Map([...numbers].map(([key, node]) => [key, ranks[node] ?? 0]));
}

/** Every word of a run and every part of it that is short enough for a phrase. */
function* partsOf(run: readonly Word[]): Generator<readonly Word[]> {
  for (let from = 0; from < run.length; from += 1) {
    for (let to = from + 1; to <= Math.min(run.length, from + maxPhraseLength); to += 1)
      yield run.slice(from, to);
  }
}

function formOf(part: readonly Word[], text: string, language: string | null): string {
  const [first] = part;
  const last = part.at(-1);
  if (!first || !last) return '';
  if (isUnspaced(language)) return part.map((word) => word.text).join('');
  return text.slice(first.at, last.at + last.text.length);
}

function commonest(forms: ReadonlyMap<string, number>): string {
  return [...forms].reduce((best, form) => (form[1] > best[1] ? form : best))[0];
}

/** The words of a language without blanks, with those put together that the segmenter has left in pieces. */
function withWholeWords(words: readonly Word[], stopWords: ReadonlySet<string>): Word[] {
  const whole: Word[] = [];
  let last: { readonly word: Word; readonly kind: (typeof pieced)[number] } | undefined;
  for (const word of words) {
    const kind = stopWords.has(word.key) ? undefined : pieced.find(({ piece }) => piece.test(word.key));
    const end = last === undefined ? -1 : last.word.at + last.word.text.length;
    const joins = last !== undefined && kind === last.kind && end === word.at;
    if (kind && last && joins && last.word.text.length + word.text.length <= kind.maxLength) {
      const { text, key, at } = last.word;
      last = { word: { text: text + word.text, key: key + word.key, at }, kind };
      whole[whole.length - 1] = last.word;
    } else {
      whole.push(word);
      last = kind ? { word, kind } : undefined;
    }
  }
  return whole;
}

/** An undirected weighted graph: for each node its neighbours and the weights of the edges to them. */
type Graph = readonly ReadonlyMap<number, number>[];

const damping = 0.85;
const rounds = 30;
const closeEnough = 1e-4;

/**
 * PageRank on a weighted undirected graph, as TextRank uses it (Mihalcea and Tarau 2004). The ranks have a mean of
 * about 1; a node without edges has `1 - damping`. The time is bounded by 30 times the number of edges.
 */
export function rank(graph: Graph): Float64Array {
  const strength = graph.map((edges) => {
    let sum = 0;
    for (const weight of edges.values()) sum += weight;
    return sum;
  });
  let ranks = new Float64Array(graph.length).fill(1);
  for (let round = 0; round < rounds; round += 1) {
    const next = new Float64Array(graph.length);
    let change = 0;
    graph.forEach((edges, node) => {
      let sum = 0;
      for (const [other, weight] of edges) sum += ((ranks[other] ?? 0) * weight) / (strength[other] || 1);
      next[node] = 1 - damping + damping * sum;
      change = Math.max(change, Math.abs((next[node] ?? 0) - (ranks[node] ?? 0)));
    });
    ranks = next;
    if (change < closeEnough) break;
  }
  return ranks;
}
