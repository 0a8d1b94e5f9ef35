import type { Draft, Token } from '../../../read/draft.ts';
import { numberOf } from '../../../read/facts/prices.ts';
import { capitalised } from '../../../read/parts/naming.ts';
import { fold } from '../../../read/phrases.ts';
import { bare, type Grammar } from './grammar.ts';
import { alike, conceptOf, type Dimension, divided, type Measure, summed, unitAt } from './measures.ts';

/** Something that is entered or reckoned, as the prompt names it. */
export interface Part {
  readonly label: string;
  /** The words of its name that say what it is. */
  readonly words: readonly string[];
  readonly concept: string | null;
  /** Null where nothing tells what it is counted in. */
  readonly measure: Measure | null;
  /** The unit that the prompt says; empty where it says none. */
  readonly unit: string;
  readonly value: number | null;
  /** The tokens of `cost per jar` in front of “per” and behind it. */
  readonly share: { readonly of: readonly string[]; readonly per: readonly string[] } | null;
  readonly start: number;
  readonly end: number;
}

const maxLabel = 60;
/** What is longer names nothing, and is not looked through. */
const maxTokens = 24;
const percent: Measure = { of: { '%': 1 }, factor: 1, unit: '%' };

/** What a stretch of tokens names: its label without unit and number, and what it measures. Null without a word. */
export function partOf(draft: Draft, tokens: readonly Token[], grammar: Grammar): Part | null {
  if (tokens.length > maxTokens) return null;
  const whole = bare(tokens, grammar);
  const first = whole[0];
  const last = whole.at(-1);
  if (!first || !last) return null;
  const stated = statedUnit(whole, grammar);
  const named = bare(stated.rest, grammar);
  const count = grammar.count.at(named, 0);
  const body = count ? bare(named.slice(count.length), grammar) : named;
  const said = contentOf(body);
  const words =
    said.length > 0
      ? said
      : body.filter(({ pos }) => pos !== 'mark' && pos !== 'number').map(({ lower }) => lower);
  if (words.length === 0 && !stated.measure) return null;
  const [only] = body;
  // One word of German in the dative plural: “aus Litern”.
  const dative =
    draft.lang === 'de' && body.length === 1 && unitAt(body, 0) !== null && only?.lower === `${only?.lemma}n`;
  const label = dative ? only.lemma : textOf(draft, count ? named : body.length > 0 ? body : whole);
  const share = shareOf(body, grammar);
  const concept = share && !ratesNamed(body, draft) ? null : conceptOf(body, draft.lang);
  const measure =
    stated.measure ??
    (share
      ? (sharedMeasure(share, draft) ?? concept?.measure ?? null)
      : (concept?.measure ??
        unitIn(body) ??
        (concept && concept.name !== 'people' ? null : counted(body, count !== null))));
  return {
    label: capitalised(label, draft.lang).slice(0, maxLabel),
    words,
    concept: concept?.name ?? null,
    measure,
    unit: stated.said,
    value: stated.value,
    share: share ? { of: contentOf(share.of), per: contentOf(share.per) } : null,
    start: first.start,
    end: last.end,
  };
}

/** “Hourly rate” is a rate by its name; so is what is known to be counted in something for something. */
const ratesNamed = (body: readonly Token[], { lang }: Draft): boolean =>
  conceptOf(body, lang)?.measure?.unit.includes('/') === true;

const textOf = ({ prompt }: Draft, tokens: readonly Token[]): string =>
  prompt.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0).replace(/\s*[([].*$/s, '');

/** Nouns, names and adjectives; what else stands in a label only joins them. */
export const contentOf = (tokens: readonly Token[]): string[] =>
  tokens.flatMap(({ pos, lemma, lower }) =>
    ['noun', 'name', 'adjective', 'verb', 'adverb'].includes(pos) && fold(lower).length > 1 ? [lemma] : [],
  );

interface Stated {
  readonly measure: Measure | null;
  /** The unit as it is shown; empty where none is said. */
  readonly said: string;
  readonly value: number | null;
  readonly rest: readonly Token[];
}

/** `(g)`, `in cm` and `%` behind a name, and the number that stands with it. */
function statedUnit(tokens: readonly Token[], grammar: Grammar): Stated {
  let rest = tokens;
  let found: Omit<Stated, 'rest'> = { measure: null, said: '', value: null };
  const open = rest.findIndex(({ text }) => /^[([]$/.test(text));
  if (open > 0) {
    const inside = rest.slice(open + 1).filter(({ text }) => !/^[)\]]$/.test(text));
    found = inUnit(inside, grammar) ?? found;
    rest = rest.slice(0, open);
  }
  const numbered = rest.findIndex(
    ({ pos }, at) => pos === 'number' && at > 0 && !grammar.per.at(rest, at - 1),
  );
  const behind = numbered > 0 ? inUnit(rest.slice(numbered), grammar) : null;
  if (behind && behind.value !== null) {
    found = found.measure ? { ...found, value: behind.value } : behind;
    rest = rest.slice(0, numbered);
  }
  for (let at = 1; at < rest.length; at += 1) {
    const intro = grammar.in.at(rest, at);
    const unit = intro ? unitAt(rest, at + intro.length) : null;
    if (unit && intro && at + intro.length + unit.length === rest.length)
      return { ...found, measure: unit.measure, said: unit.said, rest: rest.slice(0, at) };
  }
  const end = rest.at(-1);
  const sign = rest.length > 1 && end && /^[%€$£]$/.test(end.text) ? unitAt([end], 0) : null;
  if (sign) return { ...found, measure: sign.measure, said: sign.said, rest: rest.slice(0, -1) };
  if (rest[0]?.text === '%') return { ...found, measure: percent, said: '%', rest: rest.slice(1) };
  return { ...found, rest };
}

/** `g`, `10 %` or `2.50` and nothing else. */
function inUnit(tokens: readonly Token[], grammar: Grammar): Omit<Stated, 'rest'> | null {
  const intro = grammar.in.at(tokens, 0)?.length ?? 0;
  const number = tokens[intro]?.pos === 'number' ? tokens[intro] : undefined;
  const from = intro + (number ? 1 : 0);
  const unit = unitAt(tokens, from);
  if (from + (unit?.length ?? 0) !== tokens.length || (!number && !unit)) return null;
  return {
    measure: unit?.measure ?? null,
    said: unit?.said ?? '',
    value: number ? numberOf(number.text) : null,
  };
}

/** Both sides of `grams per hen`. A short word such as “al” shares nothing out unless a unit stands behind it. */
function shareOf(body: readonly Token[], grammar: Grammar) {
  for (let at = 1; at < body.length - 1; at += 1) {
    const found = grammar.per.at(body, at);
    const token = body[at];
    if (!found || !token) continue;
    const per = bare(body.slice(at + found.length), grammar);
    const short = token.lower.length <= 2 && found.length === 1;
    if (per.length > 0 && (!short || unitAt(per, per[0]?.pos === 'number' ? 1 : 0)))
      return { of: body.slice(0, at), per, rest: grammar };
  }
  return null;
}

/** The measure of `grams per hen a day`: that of the grams, by hens and days. */
function sharedMeasure(
  {
    of,
    per,
    rest,
  }: { readonly of: readonly Token[]; readonly per: readonly Token[]; readonly rest: Grammar },
  { lang }: Draft,
): Measure | null {
  const top = unitIn(of) ?? conceptOf(of, lang)?.measure ?? null;
  if (!top || top.unit.includes('/')) return top;
  const more = shareOf(per, rest);
  const below = more ? [more.of, more.per] : [per];
  return below.reduce<Measure>((whole, tokens) => {
    const number = tokens[0]?.pos === 'number' ? numberOf(tokens[0].text) : 1;
    const found = unitIn(number === 1 ? tokens : tokens.slice(1));
    const by = found ?? { of: symbolOf(tokens), factor: 1, unit: contentOf(tokens).join(' ') };
    return {
      ...divided(whole, { of: by.of, factor: by.factor * number }),
      unit: found ? `${whole.unit}/${number === 1 ? '' : `${number} `}${by.unit}` : whole.unit,
    };
  }, top);
}

/** The unit that a name says: `Litern`, `total kilos`. */
const unitIn = (tokens: readonly Token[]): Measure | null => {
  for (let at = 0; at < tokens.length; at += 1) {
    const found = unitAt(tokens, at);
    // A single letter is a unit behind a number only.
    if (found && (tokens[at]?.text.length ?? 0) > 1) return found.measure;
  }
  return null;
};

/** A number of things is counted in those things: `{ n:hen: 1 }`. */
function counted(body: readonly Token[], isNumber: boolean): Measure | null {
  const of = symbolOf(body);
  const plural = body.some(({ lower, lemma }) => lower !== lemma);
  return Object.keys(of).length > 0 && (isNumber || plural) ? { of, factor: 1, unit: '' } : null;
}

function symbolOf(tokens: readonly Token[]): Dimension {
  const words = contentOf(tokens);
  const [head] = words;
  return head === undefined ? {} : { [`n:${fold(head)}`]: 1 };
}

/** The same things under one symbol, however they are inflected. */
export function unified(parts: readonly Part[]): Part[] {
  const known: string[] = [];
  const nameOf = (base: string): string => {
    if (!base.startsWith('n:')) return base;
    const found = known.find((other) => alike(other.slice(2), base.slice(2)));
    if (found === undefined) known.push(base);
    return found ?? base;
  };
  return parts.map((part) =>
    part.measure
      ? {
          ...part,
          measure: {
            ...part.measure,
            of: Object.entries(part.measure.of).reduce<Dimension>(
              (sum, [base, power]) => summed(sum, { [nameOf(base)]: power }, 1),
              {},
            ),
          },
        }
      : part,
  );
}

/** Something that is bought in packs, with how much one holds. */
interface Pack {
  readonly part: Part;
  readonly size: { readonly value: number; readonly measure: Measure };
}

const maxBetween = 4;

/** `bags of 25 kg`, `Säcke à 40 kg`, `a bag holds 0.02 m³`: the last size that is stated of a thing counts. */
export function packsIn(draft: Draft, grammar: Grammar): Pack[] {
  const { tokens } = draft;
  const found: Pack[] = [];
  for (const [at, token] of tokens.entries()) {
    const rate = at > 0 && grammar.per.at(tokens, at - 1) !== null && tokens[at - 1]?.text !== 'à';
    const unit = token.pos === 'number' && !rate ? unitAt(tokens, at + 1) : null;
    if (!unit || unit.measure.unit === '%' || unit.measure.unit === 'money') continue;
    const head = headBefore(tokens, at);
    const part = head && partOf(draft, [head], grammar);
    if (part) found.push({ part, size: { value: numberOf(token.text), measure: unit.measure } });
  }
  return found;
}

/** The noun that a size belongs to, close in front of it. */
function headBefore(tokens: readonly Token[], at: number): Token | null {
  const before = tokens.slice(Math.max(0, at - maxBetween), at);
  const mark = before.findLastIndex(({ pos, text }) => pos === 'mark' && text !== 'à');
  const head = before.slice(mark + 1).findLast(({ pos }) => pos === 'noun');
  if (!head) return null;
  return tokens.find(({ lemma, pos }) => pos === 'noun' && alike(lemma, head.lemma)) ?? head;
}
