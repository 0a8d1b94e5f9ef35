import type { DraftField, List, ListItem, Token } from './draft.ts';
import { annotationsOf, isYesNo, typeOfLabel, typeOfUnit } from './field-types.ts';
import type { Lexicon } from './lexicon.ts';
import { capitalised, onceBy } from './parts/naming.ts';
import { fold } from './phrases.ts';
import { tagged } from './tag.ts';

const maxFields = 24;
const maxLabel = 60;

/** The fields that a prompt lists: those of the lists that say so, else the first list that is not of something else. */
export function fieldsOf(lists: readonly List[], lexicon: Lexicon): DraftField[] {
  const stated = lists.filter(({ intro }) => lexicon.fields.has(intro));
  const other = lists.find(
    (list) =>
      !lexicon.entries.has(list.intro) || lexicon.data.with.includes(list.intro) || isTyped(list, lexicon),
  );
  const chosen = stated.length > 0 || !other ? stated : [other];
  const staged = lists.find(({ intro, items }) => items.length > 1 && lexicon.stages.has(intro));
  const fields = chosen
    .filter((list) => list !== staged)
    .flatMap((list) => list.items.flatMap((item) => fieldOf(item, lexicon) ?? []))
    .filter(({ text }) => !staged || tagged(text, lexicon).at(-1)?.lemma !== staged.intro);
  const all = staged ? [...fields, stageOf(staged, lexicon)] : fields;
  return onceBy(all, ({ label }) => fold(label)).slice(0, maxFields);
}

/** “Stages: applied, interview, offer” is one choice: something is in one of them at a time. */
const stageOf = ({ intro, items, text, start, end }: List, { lang }: Lexicon): DraftField => ({
  label: capitalised(intro, lang),
  type: 'select',
  options: distinct(items.map((item) => item.text)).slice(0, 16),
  text,
  start,
  end,
});

/** “Bike list: number, brand, price”: two things that are listed, and at least half of them, are of a type. */
function isTyped({ items }: List, lexicon: Lexicon): boolean {
  const typed = items.filter((item) => !['text', 'select'].includes(fieldOf(item, lexicon)?.type ?? 'text'));
  return typed.length >= 2 && typed.length >= items.length / 2;
}

/** “From 1 to 5”, “1–10” and “/5” behind a label, which say what a field holds. */
const scale = /\s+(?:\p{L}+\s)?(?:1\s?(?:[-–]|\p{L}{1,5})|\/)\s?(?:5|10)$/u;

/** A field from an item of a list; null where nothing is left that could be a label. */
export function fieldOf(item: ListItem, lexicon: Lexicon): DraftField | null {
  const notes = annotationsOf(item.options, lexicon);
  const asked = /^¿|\?\s*$/.test(item.text);
  const text = item.text.replace(/[¿?*]/g, '').trim();
  const named = text.replace(scale, '');
  const all = tagged(named, lexicon);
  const affirmed = all.findIndex((_, index) => lexicon.yesNo.at(all, index) !== null);
  const said = affirmed < 0 ? all : all.slice(0, affirmed);
  // “Récolte en kg”.
  const into = said.findLastIndex(({ lower }, at) => at > 0 && /^(?:in|en|em)$/.test(lower));
  const unit = into < 0 ? '' : named.slice(said[into + 1]?.start, said.at(-1)?.end);
  const measured = typeOfUnit(unit, lexicon);
  const label = labelTokens(measured ? said.slice(0, into) : said, lexicon);
  // “Back yet?” and “who” are labels as they are.
  const isLabel = label.some((token) => namesSomething(token, lexicon));
  const kept = isLabel
    ? label
    : asked || item.asked || lexicon.who.has(named)
      ? said.filter(({ pos }) => pos !== 'mark')
      : [];
  if (kept.length === 0) return null;
  const mark = notes.unit || (measured ? unit : '');
  const words = named.slice(kept[0]?.start, kept.at(-1)?.end);
  const { options } = notes;
  const chosen = options.length > 1 && (isYesNo(options, lexicon) ? 'checkbox' : 'select');
  const type =
    chosen ||
    (notes.type !== 'select' && notes.type) ||
    ((affirmed >= 0 || asked || (item.asked && !isLabel)) && 'checkbox') ||
    (named !== text && 'rating') ||
    notes.measured ||
    measured ||
    typeOfLabel(
      kept.map((token) => token.text),
      lexicon,
    );
  return {
    label: capitalised(`${words}${mark ? ` (${mark})` : ''}`, lexicon.lang)
      .slice(0, maxLabel)
      .trim(),
    type,
    options: type === 'select' ? distinct(options).slice(0, 16) : [],
    ...(notes.required || /\*\s*$/.test(item.text) ? { required: true } : {}),
    text: item.text,
    start: item.start,
    end: item.end,
  };
}

const distinct = (texts: readonly string[]) => [...new Set(texts.map((text) => text.slice(0, maxLabel)))];

const leading = new Set(['determiner', 'conjunction', 'pronoun', 'preposition', 'adverb', 'mark']);
const trailing = new Set(['determiner', 'conjunction', 'pronoun', 'mark', 'adverb']);

/** The words of a label: no article, possessive or auxiliary before it, and no clause behind it. */
function labelTokens(tokens: readonly Token[], { data, asking, joiners }: Lexicon): Token[] {
  const isAuxiliary = ({ lower }: Token) => data.auxiliaries.includes(lower);
  const first = tokens.findIndex(
    (token) =>
      // “last watered” is another day than “watered”.
      !((leading.has(token.pos) && !data.pointsInTime.includes(token.lower)) || isAuxiliary(token)) &&
      !(asking.has(token.lower) && token.pos === 'verb'),
  );
  const clause = tokens.findIndex(
    (token, index) =>
      index > first &&
      (token.pos === 'conjunction' ||
        token.pos === 'pronoun' ||
        (token.pos === 'verb' && isAuxiliary(token))) &&
      !joiners.has(token.lower),
  );
  const kept = first < 0 ? [] : tokens.slice(first, clause > 0 ? clause : undefined);
  return kept.slice(0, kept.findLastIndex(({ pos, text }) => !trailing.has(pos) || text === '%') + 1);
}

/** A label names something: a noun, a name, an adjective or a participle, and no mere word of asking. */
const namesSomething = (token: Token, { asking }: Lexicon) =>
  /noun|name|adjective|verb/.test(token.pos) && !(token.pos === 'verb' && asking.has(token.lower));
