import type { Compose, Draft, Span, Token } from '../../read/draft.ts';
import { allLists, wholeItem } from '../../read/parts/lists.ts';
import { capitalised, named, shortened } from '../../read/parts/naming.ts';
import { countOf, indexOfWords, says } from '../../read/parts/words.ts';
import { fold } from '../../read/phrases.ts';

interface Content {
  readonly names: Readonly<Record<string, string>>;
  readonly named: Readonly<Record<string, string>>;
  readonly tagline: string;
  readonly groupWords: readonly string[];
  readonly memberWords: readonly string[];
  readonly cardWords: readonly string[];
  readonly lengthWords: readonly string[];
  readonly diceWords: readonly string[];
  readonly sideWords: readonly string[];
  /** Words that say how many belong to one group: `in pairs`. */
  readonly sized: Readonly<Record<string, readonly string[]>>;
  /** The sorts of characters of a password, and words that rule one out. */
  readonly signWords: Readonly<Record<string, readonly string[]>>;
  readonly without: readonly string[];
  readonly supposed: string;
}

/** What is listed is what chance chooses from; numbers say how many groups, characters or dice. */
export const compose: Compose<Content> = (draft, content) => {
  const said = draft.variant || 'list';
  const isGrouped =
    sizeBehind(draft, content.groupWords) !== undefined ||
    countOf(draft, content.groupWords, least, 20) !== null;
  const variant = said === 'list' && isGrouped ? 'groups' : said;
  const choices = choicesOf(draft, [...content.cardWords, ...content.groupWords]);
  const open = choices.length === 0 && (variant === 'list' || variant === 'bingo' || variant === 'groups');
  return {
    spec: {
      variant,
      name: nameOf(draft, variant, content),
      tagline: content.tagline,
      choices,
      ...(variant === 'groups' ? groupName(draft, content.groupWords) : {}),
      settings: settingsOf(variant, draft, choices.length, content),
      features: ['undo', 'print', 'dark'],
    },
    assumptions: open ? [content.supposed] : [],
    taken:
      variant === 'password'
        ? signsTold(draft, content).map(({ span }) => span)
        : (diceIn(draft)?.spans ?? []),
  };
};

/** With the size of a bingo card, as the prompt writes it. */
function nameOf(draft: Draft, variant: string, { named: patterns, names }: Content): string {
  const name = named(draft, patterns[variant] ?? '', names[variant] ?? '');
  const size = variant === 'bingo' ? /(?<!\d)[345]\s?[x×]\s?[345](?!\d)/i.exec(draft.prompt)?.[0] : undefined;
  return size ? shortened(`${name} ${size}`, 60) : name;
}

/** Variants that choose from nothing that is listed. */
const listless: ReadonlySet<string> = new Set(['password', 'dice']);

/** Every list, be it of fields or not; numbers from one to another; without any, what is quoted. */
function choicesOf(draft: Draft, counted: readonly string[]): string[] {
  if (listless.has(draft.variant)) return [];
  const { quoted, lang } = draft;
  const items = allLists(draft)
    .flatMap((list) => list.items.map((item) => wholeItem(draft, item)))
    .filter((text) => sideOf(text.toLowerCase()) === undefined && !isCount(text, counted));
  const named = quoted.map(({ text }) => text);
  const texts = items.length > 0 ? items : (numbersOf(draft) ?? named);
  return [...new Set(texts.map((text) => capitalised(text, lang).slice(0, 80)))].slice(0, 100);
}

/** `20 cards` says how many there are, and is none of what is chosen from. */
const isCount = (text: string, words: readonly string[]): boolean => {
  const noun = fold(/^\d+\s+(\p{L}+)$/u.exec(text)?.[1] ?? '');
  return noun !== '' && words.some((word) => noun.startsWith(fold(word)));
};

/** All numbers between the first two that have no unit: `1 to 90`. */
function numbersOf({ quantities, variant }: Draft): readonly string[] | null {
  const [from, to] = quantities.filter(({ unit }) => unit === '');
  if (variant === 'groups' || variant === 'password' || variant === 'dice' || !from || !to) return null;
  const count = to.value - from.value + 1;
  if (!Number.isInteger(count) || count < 2 || count > 100) return null;
  return Array.from({ length: count }, (_, step) => String(from.value + step));
}

type Settings = Readonly<Record<string, number | undefined>>;

function settingsOf(variant: string, draft: Draft, choices: number, words: Content): Record<string, number> {
  const counted = (units: readonly string[], min: number, max: number) => {
    const found = countOf(draft, units, min, max);
    return found ? Math.round(found.value) : undefined;
  };
  const settings = ((): Settings => {
    switch (variant) {
      case 'bingo':
        return { size: squareIn(draft.tokens), cards: counted(words.cardWords, 1, 30) };
      case 'password':
        return {
          length: counted(words.lengthWords, 8, 64) ?? bareNumber(draft, 8, 64),
          ...signsOf(draft, words),
        };
      case 'groups':
        return groupsOf(draft, choices, words);
      case 'dice': {
        const dice = diceIn(draft);
        return {
          dice: dice?.count ?? counted(words.diceWords, 1, 10) ?? oneDie(draft, words),
          sides: dice?.sides ?? counted(words.sideWords, 2, 100),
        };
      }
      default:
        return {};
    }
  })();
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** One where the word for dice stands in singular beside its sides. */
const oneDie = (draft: Draft, { diceWords, sideWords }: Content): number | undefined =>
  countOf(draft, sideWords, 2, 100) &&
  draft.lang !== 'en' &&
  draft.tokens.some(({ lower }) => diceWords.includes(lower))
    ? 1
    : undefined;

/** The only number of a prompt that has no unit. */
function bareNumber({ quantities }: Draft, min: number, max: number): number | undefined {
  const [first, second] = quantities.filter(({ unit }) => unit === '');
  return first && !second && first.value >= min && first.value <= max ? first.value : undefined;
}

/** How far in front of a sort of characters stands what rules it out. */
const ruledOut = 3;

/** The sorts of characters that a password is to be without, and where that is said. */
function signsTold(
  { tokens, prompt }: Draft,
  { signWords, without }: Content,
): { readonly name: string; readonly span: Span }[] {
  return Object.entries(signWords).flatMap(([name, phrases]) => {
    const at = Math.max(...phrases.map((phrase) => indexOfWords(tokens, phrase)));
    const from = Math.max(0, at - ruledOut);
    if (at < 0 || !says(tokens.slice(from, at), without)) return [];
    const start = tokens[from]?.start ?? 0;
    const end = tokens[at]?.end ?? start;
    return [{ name, span: { start, end, text: prompt.slice(start, end) } }];
  });
}

/** 0 for sorts of characters that a password is to be without. */
const signsOf = (draft: Draft, words: Content): Settings =>
  Object.fromEntries(signsTold(draft, words).map(({ name }) => [name, 0]));

const least = 2;

/** `5 tables of 6`, `groups of three`, `in pairs`: how many groups, and how many belong to one at most. */
function groupsOf(draft: Draft, choices: number, { groupWords, memberWords, sized }: Content): Settings {
  const named = Object.entries(sized).find(([, phrases]) => says(draft.tokens, phrases));
  const groups = countOf(draft, groupWords, least, 20)?.value;
  const each =
    sizeBehind(draft, groupWords) ?? countOf(draft, memberWords, least, 50)?.value ?? Number(named?.[0] ?? 0);
  if (each === 0 || each === choices || (each > 20 && choices === 0)) return { groups };
  // With a size alone there are so many groups as it takes.
  return { groups: groups ?? least, each };
}

/** What groups are called that are no plain groups: `Table`. */
function groupName({ tokens, lang }: Draft, groupWords: readonly string[]): { copy?: { group: string } } {
  const said = tokens.find(({ lemma, lower }) => groupWords.includes(lemma) || groupWords.includes(lower));
  const name = said?.lemma ?? '';
  return name === '' || name === groupWords[0] || groupWords.slice(0, 1).some((word) => name.startsWith(word))
    ? {}
    : { copy: { group: capitalised(name, lang).slice(0, 200) } };
}

/** The number behind a group: `groups of three`, `tavoli da 8`, `Tische mit je vier Plätzen`. */
function sizeBehind({ tokens, quantities }: Draft, groupWords: readonly string[]): number | undefined {
  for (const [at, { lemma, lower }] of tokens.entries()) {
    if (!groupWords.includes(lemma) && !groupWords.includes(lower)) continue;
    const behind = tokens.slice(at + 1, at + 4);
    const number = behind.find(({ start }) => quantities.some((quantity) => quantity.start === start));
    const between = behind.slice(0, number ? behind.indexOf(number) : 0);
    const size = quantities.find(({ start }) => start === number?.start)?.value;
    const joins =
      between.length > 0 && between.every(({ pos }) => pos !== 'mark' && pos !== 'noun' && pos !== 'name');
    if (number && joins && size !== undefined && size >= least && size <= 50) return size;
  }
  return undefined;
}

/** `4x4` and `5 × 5`: the side of a card. */
function squareIn(tokens: readonly Token[]): number | undefined {
  for (const [at, { lower }] of tokens.entries()) {
    const side = sideOf(lower) ?? sideOf(`${tokens[at - 1]?.lower}${lower}${tokens[at + 1]?.lower}`);
    if (side !== undefined) return side;
  }
  return undefined;
}

function sideOf(text: string): number | undefined {
  const [first, second, more] = text.split(text.includes('×') ? '×' : 'x').map(Number);
  return first === second && more === undefined && first !== undefined && first >= 3 && first <= 5
    ? first
    : undefined;
}

/** `2d6`, `d20` and, in German, `w20`. */
function diceIn({
  prompt,
}: Draft): { readonly count: number; readonly sides: number; readonly spans: readonly Span[] } | null {
  const found = /(?<![\p{L}\d])(\d{0,2})\s?[dw](\d{1,3})(?![\p{L}\d])/iu.exec(prompt);
  if (!found) return null;
  const [text, count = '', sides = ''] = found;
  const span = { start: found.index, end: found.index + text.length, text };
  const of = Number(sides);
  const many = count === '' ? 1 : Number(count);
  return of >= 2 && of <= 100 && many >= 1 && many <= 10 ? { count: many, sides: of, spans: [span] } : null;
}
