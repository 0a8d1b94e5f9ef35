import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { languageData } from '../read/language-data.ts';
import type { AppSpec, Feature, FieldType } from '../spec.ts';
import { type Captures, folded, type Pattern, patternOf } from './pattern.ts';

/** The languages that instructions are understood in. */
export const instructionLangs = ['en', 'de', 'es', 'fr', 'it', 'pt'] as const;
export type InstructionLang = (typeof instructionLangs)[number];

/** Words by what they stand for. */
export type Table<Key extends string = string> = Readonly<Partial<Record<Key, readonly string[]>>>;

/** What `commands/<lang>.yaml` says. */
interface WordFile {
  readonly lang: InstructionLang;
  readonly polite: readonly string[];
  readonly and: readonly string[];
  readonly articles: readonly string[];
  readonly commands: Table;
  readonly words: Table & { readonly closed: string };
  readonly parts: Table;
  readonly colours: Table;
  readonly shades: Table;
  readonly modes: Table;
  readonly currencies: Table;
  readonly kinds: Table;
  readonly variants: Table;
  readonly features: Table<Feature>;
  readonly types: Readonly<Record<FieldType, { named: readonly string[]; nouns: readonly string[] }>>;
  readonly options: Readonly<Record<string, { nouns: readonly string[]; options: readonly string[] }>>;
  readonly settings: Table;
  readonly defaults: Readonly<Record<DefaultText, string>>;
  readonly done: Readonly<Record<Done, string>>;
  readonly refused: Readonly<Record<Reason, string>>;
}

export type DefaultText = 'entry' | 'entries' | 'title' | 'answer' | 'amount' | 'yes' | 'no';
export type Done =
  | 'name'
  | 'tagline'
  | 'added'
  | 'removed'
  | 'renamed'
  | 'required'
  | 'optional'
  | 'moved'
  | 'type'
  | 'options'
  | 'colour'
  | 'mode'
  | 'lang'
  | 'currency'
  | 'kind'
  | 'set'
  | 'examples';
export type Reason =
  | 'unknown'
  | 'there'
  | 'notServed'
  | 'noFields'
  | 'place'
  | 'type'
  | 'noDate'
  | 'noNumbers'
  | 'last'
  | 'language'
  | 'kind'
  | 'noKind'
  | 'invalid'
  | 'tooMuch'
  | 'once'
  | 'sort'
  | 'noText'
  | 'long';

/** The words of a language, ready for looking up. */
export interface Words {
  readonly lang: InstructionLang;
  readonly file: WordFile;
  readonly patterns: ReadonlyMap<string, readonly Pattern[]>;
  readonly polite: readonly string[];
  readonly and: ReadonlySet<string>;
  readonly articles: ReadonlySet<string>;
  /** Things go by their whole names only, not by a part. */
  readonly strict: boolean;
  /** What “it” and “this” are, where the instruction is about a place of the spec. */
  readonly pointed?: Pointed;
}

/** A text in a spec that an instruction is about. */
export interface Pointed {
  /** A JSON Pointer (RFC 6901). */
  readonly at: string;
  readonly text: string;
}

/** Whether a text stands for what an instruction is about: “it”, “this”. */
export const isPointed = ({ pointed, file, articles }: Words, text: string): boolean =>
  pointed !== undefined && (isOne(file.words['it'], text) || articles.has(folded(text.trim())));

const read = (file: string): unknown =>
  parse(readFileSync(path.join(import.meta.dirname, 'commands', file), 'utf8'));

let colours: Readonly<Record<string, string>> | undefined;

/** The colours that have names, by the name that the word files give them. */
export function accents(): Readonly<Record<string, string>> {
  colours ??= read('accents.yaml') as Readonly<Record<string, string>>;
  return colours;
}

const loaded = new Map<InstructionLang, Words>();

/** The words of a language; read at the first call. */
export function wordsOf(lang: InstructionLang): Words {
  const known = loaded.get(lang);
  if (known) return known;
  const file = read(`${lang}.yaml`) as WordFile;
  const words: Words = {
    lang,
    file,
    patterns: new Map(Object.entries(file.commands).map(([rule, ways = []]) => [rule, ways.map(patternOf)])),
    polite: [...file.polite].map(folded).sort((a, b) => b.length - a.length),
    and: new Set(file.and.map(folded)),
    articles: new Set(file.articles.map(folded)),
    strict: false,
  };
  loaded.set(lang, words);
  return words;
}

/** The words of a list, folded: those that stand for themselves, and the stems of those with any ending. */
interface Forms {
  readonly exact: ReadonlySet<string>;
  readonly stems: readonly string[];
}

const forms = new WeakMap<readonly string[], Forms>();

function formsOf(list: readonly string[]): Forms {
  const known = forms.get(list);
  if (known) return known;
  const all = list.map(folded);
  const fresh: Forms = {
    exact: new Set(all.filter((word) => !word.endsWith('*'))),
    stems: all.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1)),
  };
  forms.set(list, fresh);
  return fresh;
}

const ending = /^\p{L}{0,3}$/u;

function has({ exact, stems }: Forms, plain: string): boolean {
  return (
    exact.has(plain) || stems.some((stem) => plain.startsWith(stem) && ending.test(plain.slice(stem.length)))
  );
}

/** Whether a text is the word of a list; `word*` is any word that has up to three letters behind it. */
export const isOne = (list: readonly string[] | undefined, text: string): boolean =>
  list !== undefined && has(formsOf(list), folded(text));

/** What a text stands for by a table, or null. */
export function meaning<Key extends string>(table: Table<Key>, text: string): Key | null {
  const plain = folded(text);
  for (const key of Object.keys(table) as Key[]) {
    const list = table[key];
    if (list && has(formsOf(list), plain)) return key;
  }
  return null;
}

/** The word of a table that people would use for a key. */
export const wordFor = (table: Table, key: string): string => (table[key]?.[0] ?? key).replace(/\*$/, '');

/** A text without the articles in front of it. */
export function bare(words: Words, text: string): string {
  let rest = text.trim();
  for (;;) {
    const first = /^(\p{L}+(?:['’](?=\p{L})|\s+))(?=\S)/u.exec(rest)?.[1];
    if (first === undefined || !words.articles.has(folded(first.trim()))) return rest;
    rest = rest.slice(first.length).trim();
  }
}

/** The pieces of a list: “a, b and c” is three. Quoted pieces stay whole. */
export function pieces(words: Words, text: string): string[] {
  const parts = text.match(/"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|[,;/|\n]|[^\s,;/|"“”„«»]+|\S/gu) ?? [];
  const list: string[][] = [[]];
  for (const part of parts) {
    if (/^[,;/|\n]$/u.test(part) || words.and.has(folded(part))) list.push([]);
    else list.at(-1)?.push(part);
  }
  return list.map((piece) => unquoted(piece.join(' '))).filter((piece) => piece !== '');
}

export const unquoted = (text: string): string => text.replace(/^["“„«‘]\s*|\s*["“”»’]$/gu, '').trim();

/** A text with “x” for each of its quoted parts, whose words say nothing about the rest. */
export const withoutQuoted = (text: string): string =>
  text.replace(/"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»/gu, 'x');

/**
 * Whether a text is one name: not quoted, it ends where somebody goes on with another wish, “Stars and sort by author”,
 * “Zap, but only on Mondays”.
 */
export function isName(words: Words, text: string): boolean {
  const [first, ...rest] = withoutQuoted(text)
    .split(/([,;.!?]|\s+)/u)
    .filter((part) => part.trim() !== '');
  let behind = false;
  return (
    first !== undefined &&
    rest.every((part) => {
      const joins = /^[,;.!?]$/u.test(part) || words.and.has(folded(part));
      const ends =
        (joins && /^\p{L}{3}/u.test(part) && !languageData(words.lang).and.includes(part)) ||
        (behind && isOne(words.file.words['verbs'], part));
      behind = joins;
      return !ends;
    })
  );
}

/** Words, and the elided “n'” of “n'enlève” alone. */
const wordsIn = (text: string) => folded(text).match(/n'(?=\p{L}{2})|[\p{L}\p{N}']+/gu) ?? [];

/** Whether a text says what is not to be done: “do not remove rating”, “ne supprime pas la note”. One word may stand between. */
export function isNegated({ file }: Words, text: string): boolean {
  const said = wordsIn(text);
  return (file.words['negations'] ?? []).some((phrase) => {
    const [first = '', second] = phrase.split(' ');
    return said.some(
      (word, at) =>
        isOne([first], word) &&
        (second === undefined || said.slice(at + 1, at + 3).some((next) => isOne([second], next))),
    );
  });
}

/** Whether a text is no name, as it says what is not wanted: “not a rating”, but “not paid” is one. */
export function isDenial(words: Words, text: string): boolean {
  const said = wordsIn(text);
  return isNegated(words, text) || (said.length > 2 && isOne(words.file.words['not'], said[0] ?? ''));
}

/** A label as it stands in an app: with a capital. */
export function label(text: string): string {
  const plain = unquoted(text).replace(/[\s:=.]+$/u, '');
  return plain.charAt(0).toLocaleUpperCase() + plain.slice(1);
}

/** A message with its values filled in. */
export function fill(message: string, values: Readonly<Record<string, string>>): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** What a rule makes of a command: a changed spec, a refusal with its reason, or null: it is no such command. */
export type Outcome = Change | { readonly refused: string } | null;

export interface Change {
  readonly spec: AppSpec;
  /** What was done, for people, in the language of the instruction; empty where nothing was to be done. */
  readonly done: string;
  /** What there is one of, such as the colour, and this sets. */
  readonly sets?: readonly Done[];
}

const single: ReadonlySet<Done> = new Set(['name', 'tagline', 'colour', 'mode', 'lang', 'currency', 'kind']);

/** Carries out one sort of command. `taken` has what the slots of its pattern took. */
export type Rule = (spec: AppSpec, taken: Captures, words: Words) => Outcome;

export function done(
  words: Words,
  spec: AppSpec,
  what: Done,
  values: Readonly<Record<string, string>> = {},
): Change {
  return { spec, done: fill(words.file.done[what], values), ...(single.has(what) && { sets: [what] }) };
}

export function refuse(words: Words, reason: Reason, what = ''): { readonly refused: string } {
  return { refused: fill(words.file.refused[reason], { what }) };
}
