import { languageData } from '../read/language-data.ts';
import { by, ordered } from '../read/unserved.ts';
import type { AppSpec, Field, FieldType } from '../spec.ts';
import { folded } from './pattern.ts';
import { bare, isDenial, isOne, label, pieces, unquoted, type Words, withoutQuoted } from './words.ts';

/** A field that somebody asked for, not yet in a spec. */
export interface NewField {
  readonly label: string;
  readonly type: FieldType;
  readonly options?: readonly string[];
  readonly required?: true;
}

const maxWords = 5;

/** The fields that a phrase names: “price and quantity”, “a status with todo, doing, done”; null where it is none. */
export function fieldsIn(words: Words, text: string): NewField[] | null {
  const chosen = withOptions(words, text);
  const named = chosen ? chosen.before : text;
  if (pieces(words, withoutQuoted(named)).some((piece) => isDenial(words, piece))) return null;
  const found = pieces(words, named).map((piece) => fieldIn(words, piece));
  const fields = found.filter((field) => field !== null);
  if (fields.length === 0 || fields.length < found.length) return null;
  const last = fields.at(-1);
  if (!chosen || !last) return fields;
  return [...fields.slice(0, -1), { ...last, type: 'select', options: chosen.options }];
}

/** “status (todo, doing)”, “status: todo, doing” and “status with todo and doing” list what can be chosen. */
function withOptions(words: Words, text: string): { before: string; options: string[] } | null {
  const bracket = /^([^()]*)\(([^()]*)\)$/u.exec(text) ?? /^([^:()]*):([^:]*)$/u.exec(text);
  const [before, list] = bracket ? [bracket[1], bracket[2]] : splitAtWord(words, text);
  if (before === undefined || list === undefined) return null;
  const options = optionsIn(words, list);
  return before.trim() && options.length > 1 ? { before, options } : null;
}

function splitAtWord(words: Words, text: string): [string, string] | [] {
  const lower = ` ${text} `.toLowerCase();
  for (const word of [...(words.file.words['with'] ?? [])].sort((a, b) => b.length - a.length)) {
    const at = lower.indexOf(` ${word} `);
    if (at > 0) return [text.slice(0, at), text.slice(at + word.length + 1)];
  }
  return [];
}

/** What can be chosen, each once, and at most as many as a field may have. Their length is not checked. */
export function optionsIn(words: Words, text: string, max = 16): string[] {
  const all = pieces(words, withoutNoun(words, text)).map((piece) => label(piece));
  const once = all.filter((option, at) => all.findIndex((other) => folded(other) === folded(option)) === at);
  return once.slice(0, max);
}

/** “The choices Lidl and Aldi” are Lidl and Aldi. */
function withoutNoun(words: Words, text: string): string {
  const [, noun = '', rest = ''] = /^(\p{L}+):?\s+(.+)$/su.exec(bare(words, text)) ?? [];
  return isOne(words.file.words['choices'], noun) ? rest : text;
}

function fieldIn(words: Words, piece: string): NewField | null {
  const { file } = words;
  const flags = { required: false };
  let parts = bare(words, piece).split(/\s+/u);
  parts = parts.filter((part) => {
    const plain = part.replace(/[()]/gu, '');
    if (isOne(file.words['required'], plain)) flags.required = true;
    return !isOne(file.words['required'], plain) && !isOne(file.words['optional'], plain);
  });
  const stated = named(words, parts.join(' '));
  const parenthesis = /^([^()]+)\(([^()]+)\)$/u.exec(stated.label);
  const typed = parenthesis ? typeNamed(words, parenthesis[2] ?? '') : null;
  const text = label(parenthesis && typed ? (parenthesis[1] ?? '').trim() : stated.label);
  if (!isLabel(words, text)) return null;
  const guess = stated.type ?? typed;
  const asked = optionsFor(words, text);
  if ((guess === null || guess === 'select') && asked)
    return { label: text, type: 'select', options: asked, ...(flags.required ? { required: true } : {}) };
  const type = guess === 'select' || guess === null ? typeOf(words, text) : guess;
  return { label: text, type, ...(flags.required ? { required: true } : {}) };
}

/** “date field Birthday”, “checkbox called Paid”, “Author as text” say the type beside the name. */
function named(words: Words, text: string): { label: string; type: FieldType | null } {
  const { words: marks } = words.file;
  const parts = text.split(/\s+/u);
  const called = parts.findIndex((part, at) => at > 0 && isOne(marks['called'], part));
  if (called > 0) {
    const type = typeNamed(words, withoutFieldWord(words, parts.slice(0, called)));
    return { label: parts.slice(called + 1).join(' '), type };
  }
  const as = parts.findIndex((part, at) => at > 0 && isOne(marks['as'], part));
  const asType = as > 0 ? typeNamed(words, bare(words, parts.slice(as + 1).join(' '))) : null;
  if (asType) return { label: parts.slice(0, as).join(' '), type: asType };
  const field = parts.findIndex((part) => isOne(marks['field'], part));
  if (field < 0) return beside(words, parts) ?? { label: text, type: null };
  const [before, after] = [parts.slice(0, field).join(' '), parts.slice(field + 1).join(' ')];
  if (!after) return { label: before, type: null };
  if (!before) return { label: withoutFor(words, bare(words, after)), type: null };
  const type = typeNamed(words, before);
  return type ? { label: withoutFor(words, bare(words, after)), type } : { label: text, type: null };
}

/** “A field for the shop” is called “Shop”. */
function withoutFor(words: Words, text: string): string {
  const [first = '', ...rest] = text.split(/\s+/u);
  return rest.length > 0 && isOne(words.file.words['for'], first) ? bare(words, rest.join(' ')) : text;
}

/** “Dropdown Genre”, “checkbox Paid”: words that are a type and nothing else. */
function beside(words: Words, parts: readonly string[]): { label: string; type: FieldType } | null {
  const type = parts.length > 1 ? typeNamed(words, parts[0] ?? '') : null;
  return type === 'select' || type === 'checkbox' ? { label: parts.slice(1).join(' '), type } : null;
}

const withoutFieldWord = (words: Words, parts: readonly string[]) =>
  parts.filter((part) => !isOne(words.file.words['field'], part)).join(' ');

/** The type that a word names: “date”, “dropdown”. */
export function typeNamed(words: Words, text: string): FieldType | null {
  const plain = bare(words, withoutFieldWord(words, unquoted(text).split(/\s+/u)));
  const types = Object.keys(words.file.types) as FieldType[];
  return types.find((type) => isOne(words.file.types[type].named, plain)) ?? null;
}

/** The type that suits what a field is called; text where nothing says otherwise. */
export function typeOf(words: Words, text: string): FieldType {
  const plain = folded(text);
  const last = plain.split(/\s+/u);
  const types = Object.keys(words.file.types) as FieldType[];
  const own = typeNamed(words, text);
  if (own && own !== 'select') return own;
  // The most said is what stands first or last: a “due date” is a date, a “fecha de entrega” is one too.
  for (const candidate of [plain, last.at(-1) ?? '', last[0] ?? '', last.slice(0, 2).join(' ')])
    for (const type of types) if (isOne(words.file.types[type].nouns, candidate)) return type;
  for (const type of types)
    if (words.file.types[type].nouns.some((noun) => endsIn(last.at(-1) ?? '', folded(noun)))) return type;
  return 'text';
}

/** A compound of the noun: “Kaufdatum” is a “Datum”. */
const endsIn = (word: string, noun: string): boolean =>
  noun.length >= 4 && !noun.endsWith('*') && word.length > noun.length + 2 && word.endsWith(noun);

/** What a status or a priority is chosen from, where nobody says it. */
export function optionsFor(words: Words, text: string): readonly string[] | null {
  const found = Object.values(words.file.options).find(({ nouns }) => isOne(nouns, text));
  return found ? found.options : null;
}

/** Whether a text can be what a field is called: a few words, none of which belongs to a sentence or a look. */
export function isLabel(words: Words, text: string): boolean {
  const parts = text.split(/[\s'’]+/u);
  const [first = '', second = ''] = parts;
  // “500 fields” and “sort by author” are no labels.
  const isCount =
    /^\d+$/u.test(first) || (parts.length === 1 && languageData(words.lang).numbers[folded(first)]);
  const isOrder = isOne(words.file.words['verbs'], first) || ordered.test(first.toLowerCase());
  if (isCount || (isOrder && by.test(second.toLowerCase()))) return false;
  return (
    text.length > 0 &&
    text.length <= 60 &&
    /\p{L}|\p{N}/u.test(text) &&
    parts.length <= maxWords &&
    !parts.some(
      (part) => isOne(words.file.words['notLabels'], part) || isOne(words.file.words['with'], part),
    ) &&
    !isOne(words.file.polite, parts.at(-1) ?? '') &&
    !isOne(words.file.modes['dark'], text)
  );
}

/** A key that no field has, nor had, as far as the keys tell: values that a device keeps must not turn up in it. */
export function freeKey(spec: AppSpec, taken: readonly Field[]): string {
  const used = [...(spec.entity?.fields ?? []), ...taken].map(({ key }) => Number(key.slice(1)));
  const next = Math.max(-1, ...used) + 1;
  if (next < 100) return `f${next}`;
  return `f${Array.from({ length: 100 }, (_, at) => at).find((at) => !used.includes(at)) ?? 99}`;
}
