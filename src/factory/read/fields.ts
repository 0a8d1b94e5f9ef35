import type { FieldType } from '../spec.ts';
import type { DraftField, List, ListItem, Token } from './draft.ts';
import { annotationsOf, isYesNo, typeOfLabel, typeOfUnit } from './field-types.ts';
import { capitalised, joinedWords, labelTokens, namesSomething } from './labels.ts';
import type { Lexicon } from './lexicon.ts';
import { fold } from './phrases.ts';
import { tagged } from './tag.ts';

/** “In”, in all languages. */
const into: ReadonlySet<string> = new Set(['in', 'en', 'em']);

const maxUnitTokens = 4;

const maxSign = 4;

const maxFields = 24;
const maxLabel = 60;

/** The fields that a prompt lists: those of the lists that say so, else the first list that is not of something else. */
export function fieldsOf(lists: readonly List[], lexicon: Lexicon): DraftField[] {
  const told = lists.filter(({ intro }) => lexicon.fields.has(intro));
  const other = lists.find(
    (list) =>
      !lexicon.entries.has(list.intro) || lexicon.data.with.includes(list.intro) || isTyped(list, lexicon),
  );
  const chosen = told.length > 0 || !other ? told : [other];
  const fields = chosen.flatMap((list) => list.items.flatMap((item) => fieldOf(item, lexicon) ?? []));
  const labels = fields.map(({ label }) => fold(label));
  const once = fields.filter((_, index) => labels.indexOf(labels[index] ?? '') === index);
  return once.slice(0, maxFields);
}

/** “Bike list: number, brand, price”: at least half of what is listed, and two things, are a name or of a type. */
function isTyped({ items }: List, lexicon: Lexicon): boolean {
  const typed = items.filter(
    (item) =>
      lexicon.entries.has(item.text) ||
      // What stands in parentheses may be a note on an entry.
      !['text', 'select'].includes(fieldOf(item, lexicon)?.type ?? 'text'),
  ).length;
  return typed >= 2 && typed >= items.length / 2;
}

/** A field from an item of a list; null where nothing is left that could be a label. */
export function fieldOf(item: ListItem, lexicon: Lexicon): DraftField | null {
  const notes = annotationsOf(item.options, lexicon);
  const asked = /\?\s*$/.test(item.text) || /^¿/.test(item.text);
  const all = tagged(item.text.replace(/[¿?*]/g, '').trim(), lexicon);
  const { left, yesNo, scaled } = withoutScale(all, lexicon);
  const { tokens, unit, type: measured } = unitBehind(left, lexicon);
  const { options } = notes;
  const kept = yesNo ? statement(tokens) : labelTokens(tokens, lexicon);
  if (!kept.some((token) => namesSomething(token, lexicon))) return null;
  const mark = notes.unit || unit;
  const label = capitalised(`${joinedWords(kept)}${mark ? ` (${mark})` : ''}`, lexicon)
    .slice(0, maxLabel)
    .trim();
  const type = typeFrom();
  return {
    label,
    type,
    options: type === 'select' ? distinct(options).slice(0, 16) : [],
    ...(notes.required || /\*\s*$/.test(item.text) ? { required: true } : {}),
    text: item.text,
    start: item.start,
    end: item.end,
  };

  function typeFrom(): FieldType {
    if (options.length > 1) return isYesNo(options, lexicon) ? 'checkbox' : 'select';
    if (notes.type && notes.type !== 'select') return notes.type;
    if (yesNo || asked) return 'checkbox';
    if (scaled) return 'rating';
    if (notes.measured ?? measured) return notes.measured ?? measured ?? 'number';
    return typeOfLabel(
      kept.map(({ text }) => text),
      lexicon,
    );
  }
}

/** “May swim yes/no”: all of it but an article. */
const statement = (tokens: readonly Token[]): readonly Token[] =>
  tokens.slice(
    Math.max(
      0,
      tokens.findIndex(({ pos }) => pos !== 'mark' && pos !== 'determiner' && pos !== 'conjunction'),
    ),
  );

const distinct = (texts: readonly string[]) => [...new Set(texts.map((text) => text.slice(0, maxLabel)))];

/** Without “yes or no”, “from 1 to 5” and “/100”, which say what a field holds. */
function withoutScale(tokens: readonly Token[], { yesNo }: Lexicon) {
  const at = tokens.findIndex((_, index) => yesNo.at(tokens, index) !== null);
  const unsure = at >= 0 ? tokens.slice(0, at) : tokens;
  const numbers = unsure.flatMap((token, index) => (token.pos === 'number' ? [index] : []));
  const last = numbers.at(-1) ?? -1;
  const scale = numbers.length > 0 && last === unsure.length - 1 ? (unsure[last]?.text ?? '') : '';
  const begin = numbers.length > 1 ? (numbers[0] ?? 0) : last;
  const isScale = stars.has(scale) || (scale === '100' && unsure[last - 1]?.text === '/');
  const before = isScale ? unsure.slice(0, begin) : unsure;
  const end = before.findLastIndex(
    ({ pos }) => pos !== 'preposition' && pos !== 'mark' && pos !== 'determiner',
  );
  return {
    left: isScale && end >= 0 ? before.slice(0, end + 1) : unsure,
    yesNo: at >= 0,
    scaled: stars.has(scale) && end >= 0,
  };
}

const stars: ReadonlySet<string> = new Set(['5', '10']);

interface Measured {
  /** The label without its unit. */
  readonly tokens: readonly Token[];
  readonly unit: string;
  readonly type: FieldType | null;
}

/** The unit that ends a label, behind “in” (`récolte en kg`) or as a sign right behind the noun (`distance km`). */
function unitBehind(tokens: readonly Token[], lexicon: Lexicon): Measured {
  for (let length = 1; length <= Math.min(maxUnitTokens, tokens.length - 1); length += 1) {
    const unit = joinedWords(tokens.slice(-length));
    const type = typeOfUnit(unit, lexicon);
    const link = tokens[tokens.length - length - 1];
    if (!type || !link) continue;
    if (into.has(link.lower) && tokens.length > length + 1)
      return { tokens: tokens.slice(0, -length - 1), unit, type };
    if (
      unit.length <= maxSign &&
      link.pos === 'noun' &&
      lexicon.data.currencies[unit] === undefined &&
      !lexicon.data.measures.includes(unit)
    )
      return { tokens: tokens.slice(0, -length), unit, type };
  }
  return { tokens, unit: '', type: typeOfUnit(joinedWords(tokens), lexicon) };
}
