import { newProblems } from '../plan/sent-spec.ts';
import { factoryKinds } from '../read/kinds.ts';
import { languageOf } from '../read/language.ts';
import { type AppSpec, specProblems } from '../spec.ts';
import { withoutGiven } from './as-kind.ts';
import {
  afterPolite,
  beforePolite,
  type Captures,
  type Chunk,
  chunksOf,
  match,
  type Tokens,
  tokensOf,
} from './pattern.ts';
import { aboutOf, stillPointed } from './places.ts';
import { rules } from './rules/rules.ts';
import {
  type Change,
  type Done,
  type InstructionLang,
  instructionLangs,
  isNegated,
  refuse,
  type Words,
  wordFor,
  wordsOf,
} from './words.ts';

/** What became of an instruction. */
export interface Revised {
  readonly spec: AppSpec;
  /** What was done, in the language of the instruction. */
  readonly done: readonly string[];
  /** What was not, word for word, with the reason behind it where there is one. */
  readonly notUnderstood: readonly string[];
  /** Every part that was not done was refused with its reason. */
  readonly isRefusal?: boolean;
}

/** Maximum length of an instruction in characters. */
export const maxInstruction = 500;

/**
 * Carries out an instruction on a spec, without a model: “call it Zap and make it green, drop the chart”. It may be in
 * any of six languages, whatever that of the app is, and is answered in its own. The result is always valid: a command that would
 * break the spec is refused. It may begin with the place of a text in the spec (RFC 6901), which “it” and “this” are then: “At
 * /entity/fields/2/label: make it required”. A longer instruction than `maxInstruction` is refused as a whole.
 */
export function revise(spec: AppSpec, instruction: string): Revised {
  const text = instruction
    .normalize('NFC')
    .replace(/[\r\n]/g, ';')
    .trim();
  const { at, words: said, ...about } = aboutOf(spec, text);
  const { lang, foreign, isGuess } = languageOf(said.slice(0, maxInstruction), factoryKinds);
  const own: readonly InstructionLang[] = foreign || isGuess ? [] : [lang];
  const langs = [...new Set([...own, spec.lang as InstructionLang, ...instructionLangs])];
  if (text.length > maxInstruction) {
    const { refused } = refuse(wordsOf(lang), 'long');
    return refusal(spec, `${instruction.slice(0, maxInstruction)}…: ${refused}`);
  }
  if (at !== '' && about.pointed === undefined)
    return refusal(spec, `${text}: ${refuse(wordsOf(lang), 'noText', at).refused}`);
  const tokens = tokensOf(said);
  let best: Attempt | undefined;
  for (const lang of langs) {
    const attempt = attemptIn({ ...wordsOf(lang), ...about }, spec, tokens);
    // Languages share verbs: what the first one refuses another only answers by doing it.
    const says = best && (attempt.done.length > best.done.length || !best.hasRefused);
    if (!best || (says && attempt.missed < best.missed && attempt.done.length >= best.done.length))
      best = attempt;
    if (best.missed === 0) break;
  }
  const { done = [], notUnderstood = [], isRefusal = false } = best ?? {};
  return { spec: withoutGiven(spec, best?.spec ?? spec), done, notUnderstood, isRefusal };
}

const refusal = (spec: AppSpec, why: string) => ({ spec, done: [], notUnderstood: [why], isRefusal: true });

/** Readings of parts of an instruction that are tried, so that a long list of anything does not take long. */
const maxReadings = 16;

/** An instruction read with the words of one language. */
interface Attempt extends Revised {
  /** How much was not understood, in characters. What was understood but refused counts half. */
  readonly missed: number;
  /** Nothing was done, and something refused. */
  readonly hasRefused: boolean;
}

interface Progress {
  spec: AppSpec;
  /** How many more readings may be tried. */
  left: number;
  readonly done: string[];
  /** What there is one of and was set, by an earlier command. */
  readonly set: Map<Done, unknown>;
  readonly missing: { from: number; to: number; refused: string | null }[];
}

function attemptIn(words: Words, spec: AppSpec, tokens: Tokens): Attempt {
  const progress: Progress = { spec, left: maxReadings, done: [], set: new Map(), missing: [] };
  let now = words;
  for (const command of commandsIn(words, tokens, chunksOf(words.and, tokens))) {
    const before = progress.spec;
    follow(now, tokens, command, progress);
    now = stillPointed(now, before, progress.spec);
  }
  const said = ({ from, to }: { from: number; to: number }) =>
    tokens.text.slice(tokens.all[from]?.start, tokens.all[to - 1]?.end);
  return {
    spec: progress.spec,
    done: progress.done,
    notUnderstood: progress.missing.map((part) =>
      part.refused === null ? said(part) : `${said(part)}: ${part.refused}`,
    ),
    hasRefused: progress.done.length === 0 && progress.missing.some(({ refused }) => refused !== null),
    isRefusal: progress.missing.length > 0 && progress.missing.every(({ refused }) => refused !== null),
    missed: progress.missing.reduce(
      (sum, part) => sum + said(part).length * (part.refused === null ? 2 : 1),
      0,
    ),
  };
}

/** Carries out what may be one command, or as many as its chunks are. */
function follow(words: Words, tokens: Tokens, chunks: readonly Chunk[], progress: Progress): void {
  const first = chunks[0];
  const last = chunks.at(-1);
  if (!first || !last) return;
  const [from, to] = [first.from, last.to];
  if (afterPolite(words.polite, tokens, from, to) >= to) return;
  if (progress.left-- <= 0) {
    progress.missing.push({ from, to, refused: null });
    return;
  }
  const names = chunks.length > 1 ? shortName(words, tokens, chunks, progress) : null;
  const whole = names ?? carriedOut(words, tokens, from, to, progress);
  // What follows a negation belongs to it: “do not make it red, green”.
  if (!(whole && 'spec' in whole) && isNegatedIn(words, tokens, first)) {
    progress.missing.push({ from, to, refused: null });
    return;
  }
  if (whole && 'spec' in whole) {
    take(whole, progress);
    const rest = names ? chunks.slice(names.chunks) : [];
    follow(words, tokens, rest, progress);
    return;
  }
  for (let count = chunks.length - 1; count > 0 && progress.left-- > 0; count--) {
    const part = carriedOut(words, tokens, from, chunks[count - 1]?.to ?? to, progress);
    if (!part || !('spec' in part)) continue;
    take(part, progress);
    follow(words, tokens, chunks.slice(count), progress);
    return;
  }
  if (whole || chunks.length === 1) {
    progress.missing.push({ from, to, refused: whole?.refused ?? null });
    return;
  }
  const before = progress.missing.length;
  const alone = carriedOut(words, tokens, from, first.to, progress);
  progress.missing.push({ from, to: first.to, refused: alone && 'refused' in alone ? alone.refused : null });
  follow(words, tokens, chunks.slice(1), progress);
  joined(progress, before, chunks[1]?.from);
}

/** What was not understood in one go is one piece. */
function joined(progress: Progress, at: number, from: number | undefined): void {
  const [first, next] = [progress.missing[at], progress.missing[at + 1]];
  if (first && next && next.from === from && next.refused === null && first.refused === null)
    progress.missing.splice(at, 2, { from: first.from, to: next.to, refused: null });
}

function take(change: Change, progress: Progress): void {
  progress.spec = change.spec;
  for (const what of change.sets ?? []) progress.set.set(what, change.done);
  if (change.done !== '') progress.done.push(change.done);
}

/** “Call it Zap, dark”: a name ends where a look by itself begins. */
function shortName(
  words: Words,
  tokens: Tokens,
  chunks: readonly Chunk[],
  { spec }: Progress,
): (Change & { readonly chunks: number }) | null {
  for (let count = 1; count < chunks.length; count++) {
    const rest = chunks[count];
    const look = rest && tried(words, tokens, rest.from, rest.to, spec, ['make']);
    if (!look || !('spec' in look)) continue;
    const from = chunks[0]?.from ?? 0;
    const name = tried(words, tokens, from, chunks[count - 1]?.to ?? from, spec, ['name', 'tagline']);
    if (name && 'spec' in name) return { ...name, chunks: count };
  }
  return null;
}

const allRules = Object.keys(rules);

/** As `tried` with all rules; what there is one of is set once: “make it purple and yellow” is no yellow app. */
function carriedOut(words: Words, tokens: Tokens, from: number, to: number, { spec, set }: Progress) {
  const outcome = tried(words, tokens, from, to, spec, allRules);
  if (!outcome || !('spec' in outcome)) return outcome;
  const again = outcome.sets?.find((what) => set.has(what) && set.get(what) !== outcome.done);
  return again ? refuse(words, 'once', wordFor(words.file.parts, again)) : outcome;
}

/** The first of the rules that can do what the tokens say, or the first refusal, or null. Whole names go before parts. */
function tried(
  words: Words,
  tokens: Tokens,
  start: number,
  end: number,
  spec: AppSpec,
  names: readonly string[],
): Change | { readonly refused: string } | null {
  const from = afterPolite(words.polite, tokens, start, end);
  const to = beforePolite(words.polite, tokens, from, end);
  let change: Change | null = null;
  let refused: { readonly refused: string } | null = null;
  for (const reading of [{ ...words, strict: true }, words]) {
    for (const name of names) {
      const rule = rules[name];
      const accept = (captures: Captures) => {
        const outcome = rule?.(spec, captures, reading) ?? null;
        if (outcome && 'spec' in outcome) {
          const wrong = wrongWith(outcome.spec, spec);
          if (wrong === '') change = outcome;
          else refused ??= refuse(words, /at most|more than/.test(wrong) ? 'tooMuch' : 'invalid');
        } else refused ??= outcome;
        return change !== null;
      };
      const patterns = (rule && words.patterns.get(name)) ?? [];
      if (patterns.some((pattern) => match(pattern, tokens, from, to, accept))) return change;
    }
  }
  return refused;
}

/** What is wrong with a spec that was not wrong with the one before; empty where nothing is. */
const wrongWith = (spec: AppSpec, before: AppSpec): string =>
  specProblems(spec)[0] ?? newProblems(before, spec, spec.kind)[0]?.message ?? '';

/**
 * Groups chunks into what may be one command each: a new one begins where the words of some command do. “Add price and
 * quantity, make it green” has three chunks and two commands.
 */
function commandsIn(words: Words, tokens: Tokens, chunks: readonly Chunk[]): Chunk[][] {
  const commands: Chunk[][] = [];
  for (const [index, chunk] of chunks.entries()) {
    const last = commands.at(-1);
    if (!last || isNegatedIn(words, tokens, chunk) || begins(words, tokens, chunks, index))
      commands.push([chunk]);
    else last.push(chunk);
  }
  return commands;
}

/** Whether a chunk says, outside quotation marks, what is not to be done. */
const isNegatedIn = (words: Words, { all }: Tokens, { from, to }: Chunk): boolean =>
  isNegated(
    words,
    all
      .slice(from, to)
      .map(({ word }) => word)
      .join(' '),
  );

/** Whether a command may begin with a chunk: its words fit, and a slot in front of them does not reach beyond it. */
function begins(words: Words, tokens: Tokens, chunks: readonly Chunk[], index: number): boolean {
  const chunk = chunks[index];
  if (!chunk) return false;
  const from = afterPolite(words.polite, tokens, chunk.from, chunk.to);
  for (const [rule, patterns] of words.patterns) {
    for (const pattern of patterns) {
      if (!pattern.worded || rule === 'fact') continue;
      const slotFirst = 'slot' in (pattern.parts[0] ?? {});
      const ends = slotFirst ? [chunk] : chunks.slice(index);
      if (ends.some(({ to }) => match(pattern, tokens, from, to, () => true))) return true;
    }
  }
  return false;
}
