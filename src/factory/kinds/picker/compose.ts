import type { Compose, Draft, Token } from '../../read/draft.ts';
import { allLists, wholeItem } from '../../read/parts/lists.ts';
import { capitalised, named } from '../../read/parts/naming.ts';

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
  readonly supposed: string;
}

/** What is listed is what chance chooses from; numbers say how many groups, characters or dice. */
export const compose: Compose<Content> = (draft, content) => {
  const variant = draft.variant || 'list';
  const choices = choicesOf(draft);
  const open = choices.length === 0 && (variant === 'list' || variant === 'bingo' || variant === 'groups');
  return {
    spec: {
      variant,
      name: named(draft, content.named[variant] ?? '', content.names[variant] ?? ''),
      tagline: content.tagline,
      choices,
      settings: settingsOf(variant, draft, choices.length, content),
      features: ['undo', 'print', 'dark'],
    },
    assumptions: open ? [content.supposed] : [],
  };
};

/** Every list, be it of fields or not; numbers from one to another; without any, the names of people. */
function choicesOf(draft: Draft): string[] {
  const { facts, quoted, lang } = draft;
  const items = allLists(draft)
    .flatMap((list) => list.items.map((item) => wholeItem(draft, item)))
    .filter((text) => sideOf(text.toLowerCase()) === undefined);
  const named = [...facts.people, ...quoted].map(({ text }) => text);
  const texts = items.length > 0 ? items : (numbersOf(draft) ?? named);
  return [...new Set(texts.map((text) => capitalised(text, lang).slice(0, 80)))].slice(0, 100);
}

/** All numbers between the first two that have no unit: `1 to 90`. */
function numbersOf({ quantities, variant }: Draft): readonly string[] | null {
  const [from, to] = quantities.filter(({ unit }) => unit === '');
  if (variant === 'groups' || variant === 'password' || variant === 'dice' || !from || !to) return null;
  const count = to.value - from.value + 1;
  if (!Number.isInteger(count) || count < 2 || count > 100) return null;
  return Array.from({ length: count }, (_, step) => String(from.value + step));
}

function settingsOf(
  variant: string,
  { quantities, tokens }: Draft,
  choices: number,
  words: Content,
): Record<string, number> {
  const counted = (units: readonly string[], min: number, max: number) => {
    const found = quantities.find(({ unit, value }) => units.includes(unit) && value >= min && value <= max);
    return found ? Math.round(found.value) : undefined;
  };
  const known = (settings: Record<string, number | undefined>) =>
    Object.fromEntries(
      Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  switch (variant) {
    case 'bingo':
      return known({ size: squareIn(tokens), cards: counted(words.cardWords, 1, 30) });
    case 'password':
      return known({ length: counted(words.lengthWords, 8, 64) });
    case 'groups':
      return known({
        groups: counted(words.groupWords, 2, 20) ?? groupsOf(choices, counted(words.memberWords, 2, 50)),
      });
    case 'dice': {
      const dice = diceIn(tokens);
      return known({
        dice: dice?.count ?? counted(words.diceWords, 1, 10),
        sides: dice?.sides ?? counted(words.sideWords, 2, 100),
      });
    }
    default:
      return {};
  }
}

/** So many groups as it takes where the prompt says how many belong to one. */
const groupsOf = (choices: number, size: number | undefined): number | undefined =>
  size === undefined || choices <= size ? undefined : Math.min(20, Math.ceil(choices / size));

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
function diceIn(tokens: readonly Token[]): { readonly count: number; readonly sides: number } | null {
  for (const { lower } of tokens) {
    const [count = '', sides = ''] = lower.includes('d') ? lower.split('d') : lower.split('w');
    const of = Number(sides);
    const many = count === '' ? 1 : Number(count);
    if (sides !== '' && of >= 2 && of <= 100 && many >= 1 && many <= 10) return { count: many, sides: of };
  }
  return null;
}
