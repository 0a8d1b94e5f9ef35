import { type Clause, isPaid } from './clauses.ts';
import type { Token } from './draft.ts';
import type { Lexicon } from './lexicon.ts';
import { fold } from './phrases.ts';
import { nounPhraseAt } from './request.ts';

const leading = new Set(['determiner', 'conjunction', 'pronoun', 'preposition', 'adverb', 'mark']);
const trailing = new Set(['determiner', 'conjunction', 'pronoun', 'mark', 'adverb']);

/** The words of a label: no article, possessive or auxiliary before it, and no clause behind it. */
export function labelTokens(tokens: readonly Token[], lexicon: Lexicon): Token[] {
  const strange = (token: Token) =>
    // “last watered” is another day than “watered”.
    (leading.has(token.pos) && !lexicon.data.pointsInTime.includes(token.lower)) ||
    lexicon.data.auxiliaries.includes(token.lower) ||
    (lexicon.asking.has(token.lower) && token.pos === 'verb');
  // “Out date” is no date that something is out of.
  const isParticle = (index: number) =>
    lexicon.lang === 'en' &&
    tokens[index]?.pos === 'preposition' &&
    tokens[index + 1] !== undefined &&
    isNominal(tokens[index + 1] as Token);
  let first = 0;
  while (first < tokens.length && strange(tokens[first] as Token) && !isParticle(first)) first += 1;
  if (first === tokens.length) return [];
  const clause = tokens.findIndex(
    (token, index) =>
      index > first &&
      (token.pos === 'conjunction' ||
        token.pos === 'pronoun' ||
        (token.pos === 'verb' && lexicon.data.auxiliaries.includes(token.lower))) &&
      !lexicon.joiners.has(token.lower),
  );
  let last = clause > 0 ? clause : tokens.length;
  // “Nuts in it” are nuts; “lent to” needs its preposition.
  if (tokens[clause]?.pos === 'pronoun' && tokens[last - 1]?.pos === 'preposition') last -= 1;
  // “Uscito il” is the day of it.
  const ofDay = (token: Token | undefined) =>
    clause < 0 && last - first === 2 && lexicon.data.dayPrepositions.includes(token?.lower ?? '');
  while (
    last > first &&
    trailing.has(tokens[last - 1]?.pos ?? '') &&
    tokens[last - 1]?.text !== '%' &&
    !ofDay(tokens[last - 1])
  )
    last -= 1;
  // “Day it left” is not any day.
  const day = clause === first + 1 && tokens.length - first <= maxDay && isDay(tokens[first], lexicon);
  return tokens.slice(first, day ? undefined : last);
}

const maxDay = 6;

const isDay = (token: Token | undefined, { data }: Lexicon) =>
  [...(data.types.date ?? []), ...(data.types.time ?? [])].includes(token?.lower ?? '');

/** A label names something: a noun, a name, an adjective or a participle, and no mere word of asking. */
export const namesSomething = (token: Token, { asking }: Lexicon) =>
  (token.pos === 'noun' ||
    token.pos === 'name' ||
    token.pos === 'adjective' ||
    token.pos === 'verb' ||
    token.pos === 'adverb' ||
    token.pos === 'pronoun') &&
  !(token.pos === 'verb' && asking.has(token.lower));

/** Tokens with the spaces that stood between them. */
export function joinedWords(tokens: readonly Token[]): string {
  return tokens
    .map((token, index) =>
      index > 0 && token.start > (tokens[index - 1]?.end ?? 0) ? ` ${token.text}` : token.text,
    )
    .join('');
}

export const capitalised = (text: string, { lang }: Lexicon): string =>
  text.slice(0, 1).toLocaleUpperCase(lang) + text.slice(1);

/** What a question is answered by, as a label: its noun where it has one, what is to be affirmed, else the question. */
export function clauseLabel(tokens: readonly Token[], clause: Clause, lexicon: Lexicon): readonly Token[] {
  const body = tokens.slice(clause.body);
  if (clause.sort === 'whether') return affirmed(body, lexicon);
  if (clause.sort === 'which' || clause.sort === 'many') {
    const noun = takesNoun(tokens, clause, lexicon) ? nounIn(tokens, clause.body, lexicon) : [];
    if (noun.length > 0) return noun;
  }
  if (clause.sort === 'who' && clause.thing) {
    const rest = body.filter(({ lower }) => !lexicon.data.auxiliaries.includes(lower));
    const plain =
      rest.length < body.length && rest[0]?.pos === 'determiner' && rest.slice(1).every(isNominal);
    if (plain && rest.length > 1) return rest.slice(1);
  }
  if (clause.sort === 'when') {
    const next = body.findIndex(({ lower }) => lexicon.data.pointsInTime.includes(fold(lower)));
    const end = body.findIndex((token, index) => index > next && !isNominal(token));
    if (next >= 0 && end !== next + 1) return body.slice(next, end < 0 ? undefined : end);
  }
  const done = participleOf(body, clause, lexicon);
  if (done.length > 0) return done;
  // “Wann es gebracht wurde” is “Wann gebracht”.
  const shortens = lexicon.lang === 'de' && !clause.thing && body[0]?.pos === 'pronoun';
  const short = shortens ? body.filter((token) => !isEmpty(token, lexicon)) : [];
  return trimmed(short.length > 0 ? [...tokens.slice(0, clause.body), ...short] : tokens);
}

/** “Quando è passato il vetturino” is “passato il vetturino”, “quanto ho pagato” is “pagato”; in German it stands behind. */
function participleOf(body: readonly Token[], clause: Clause, lexicon: Lexicon): readonly Token[] {
  const { lang, data } = lexicon;
  const paid = isPaid(body, clause, lexicon);
  if (lang === 'en' || !(paid || clause.sort === 'when')) return [];
  if (lang === 'de') return paid ? body.filter((_, index) => lexicon.payments.at(body, index) !== null) : [];
  const first = body.findIndex(({ pos }) => pos !== 'pronoun');
  let at = first;
  while (at >= 0 && data.auxiliaries.includes(body[at]?.lower ?? '')) at += 1;
  while (at > first && body[at]?.pos === 'determiner') at += 1;
  return at > first ? trimmed(body.slice(at)) : [];
}

/** “Cuántas sesiones” asks for sessions, “cuánto duró” for no noun; “combien” has a “de” before its noun. */
function takesNoun(tokens: readonly Token[], { sort, body }: Clause, { lang, payments }: Lexicon): boolean {
  if (
    payments.at(tokens, body) ||
    (sort === 'many' && lang !== 'en' && lang !== 'de' && tokens.length === body + 1)
  )
    return false;
  if (sort === 'which' || lang === 'en' || lang === 'de') return true;
  const word = tokens[body - 1]?.lower ?? '';
  return lang === 'fr' ? tokens[body]?.pos === 'preposition' : !word.endsWith('o');
}

const isNominal = ({ pos }: Token) => pos === 'noun' || pos === 'name' || pos === 'adjective';

const isEmpty = ({ pos, lower }: Token, { data }: Lexicon) =>
  pos === 'pronoun' || data.auxiliaries.includes(lower);

/** “I saw the queen” is “saw the queen”, “die Königin gesehen wurde” is “Königin gesehen”. */
function affirmed(body: readonly Token[], lexicon: Lexicon): readonly Token[] {
  const empty = ({ pos, lower }: Token) => pos === 'verb' && lexicon.asking.has(lower);
  // “Si debe dinero”: what is owed is no mere modal.
  const owes = (index: number) =>
    lexicon.payments.at(body, index) !== null && body[index + 1]?.pos === 'noun';
  const rest = body.filter((token, index) => owes(index) || !(isEmpty(token, lexicon) || empty(token)));
  const full = rest.length > 0 ? rest : body;
  const content = full.filter(({ pos, lower }) => !(pos === 'adverb' && lexicon.closed.has(lower)));
  // “Whether it is back yet” is “back”.
  const said = content.some(({ pos }) => pos !== 'determiner')
    ? content
    : full.filter(({ pos }) => pos !== 'determiner').slice(0, 1);
  // “A devuelto” is a misspelt “ha devuelto”.
  const first = said.findIndex(
    ({ pos, lower }) =>
      pos !== 'determiner' && pos !== 'conjunction' && !(pos === 'preposition' && lower.length === 1),
  );
  return first < 0 ? [] : trimmed(said.slice(first));
}

const trimmed = (tokens: readonly Token[]): readonly Token[] => {
  const last = tokens.findLastIndex(({ pos }) => pos !== 'mark');
  return tokens.slice(0, last + 1);
};

/** The noun behind “which” or “how many”, with what ties another noun to it: `frames of brood`. */
function nounIn(tokens: readonly Token[], body: number, lexicon: Lexicon): readonly Token[] {
  const from = tokens[body]?.pos === 'preposition' ? body + 1 : body;
  const first = tokens[from];
  const phrase = first && isNominal(first) ? nounPhraseAt(tokens, from, lexicon) : null;
  // German in small letters: “an welchem abend”.
  if (!phrase) return first && lexicon.lang === 'de' && isNominal(first) ? [first] : [];
  // Elsewhere any unknown word counts as a noun, so that only the first is sure.
  const end = lexicon.lang === 'en' ? phrase.to : phrase.head + 1;
  const link = tokens[end];
  const next = tokens[end + 1];
  const tied =
    link !== undefined &&
    genitives.has(link.lower) &&
    next !== undefined &&
    (next.pos === 'noun' || next.pos === 'name');
  return tokens.slice(phrase.from, tied ? end + 2 : end);
}

/** Prepositions that tie a noun to the one before it. */
const genitives = new Set(['of', 'von', 'vom', 'de', "d'", 'di']);
