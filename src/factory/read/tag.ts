import type { PartOfSpeech, Span, Token } from './draft.ts';
import { singularOf } from './language-data.ts';
import type { Lexicon } from './lexicon.ts';
import { quotedIn, spansOf } from './phrases.ts';

/** The tokens of a prompt with what they are, by the tables of its language. */
export function tagged(prompt: string, lexicon: Lexicon): Token[] {
  const spans = spansOf(prompt, lexicon.lang);
  const starts = sentenceStarts(spans);
  return spans.map((span, index) => {
    const lower = span.text.toLowerCase().replaceAll('’', "'");
    const before = index > 0 ? (spans[index - 1]?.text.toLowerCase() ?? '') : '';
    const pos = partOfSpeech(span.text, lower, starts.has(index), takesNoun(before, lexicon), lexicon);
    const lemma = pos === 'noun' || pos === 'adjective' ? singularOf(lower, lexicon.data) : lower;
    return { ...span, lower, lemma, pos };
  });
}

/** Tokens that stand where any word has a capital. */
function sentenceStarts(spans: readonly Span[]): Set<number> {
  const starts = new Set([0]);
  for (const [index, { text }] of spans.entries()) {
    if (/^[.!?:¡¿"“„«*-]$/.test(text)) starts.add(index + 1);
  }
  return starts;
}

const capital = /^\p{Lu}/u;

function partOfSpeech(
  text: string,
  lower: string,
  starts: boolean,
  behindArticle: boolean,
  lexicon: Lexicon,
): PartOfSpeech {
  if (!/[\p{L}\d]/u.test(text)) return 'mark';
  if (/^\d/.test(text)) return 'number';
  const closed = lexicon.closed.get(lower);
  const { data } = lexicon;
  // Mia is a name, too.
  const isName = lower === 'mia' && capital.test(text) && !starts;
  if (closed && !isName) return closed;
  if (lexicon.lang === 'de' && capital.test(text)) return starts && verbal(lower, lexicon) ? 'verb' : 'noun';
  if (lexicon.asking.has(lower)) return 'verb';
  if (capital.test(text) && !starts) return 'name';
  if (ends(lower, data.nounEndings)) return 'noun';
  if (verbal(lower, lexicon)) return behindArticle ? 'noun' : 'verb';
  return ends(lower, data.adjectiveEndings) ? 'adjective' : lexicon.lang === 'de' ? 'adjective' : 'noun';
}

const ends = (lower: string, endings: readonly string[]) =>
  endings.some((ending) => lower.length > ending.length + 2 && lower.endsWith(ending));

/** Prepositions that infinitives stand behind; behind every other, and behind an article, stands a noun. */
const beforeVerb = new Set("to de di d' à a pour para pra per por sans sin senza sem zu um da".split(' '));

const takesNoun = (before: string, { closed, which }: Lexicon) =>
  closed.get(before) === 'determiner' ||
  which.has(before) ||
  (closed.get(before) === 'preposition' && !beforeVerb.has(before));

/** What ends like a verb and is no plural that the language lists. */
const verbal = (lower: string, { data }: Lexicon) =>
  data.irregular[lower] === undefined && ends(lower, data.verbEndings);

/** Which tokens stand within quotation marks. */
export function quotedTokens(prompt: string, tokens: readonly Token[]): Set<number> {
  const quotes = quotedIn(prompt);
  return new Set(
    tokens.flatMap((token, index) =>
      quotes.some(({ start, end }) => token.start >= start && token.end <= end) ? [index] : [],
    ),
  );
}
