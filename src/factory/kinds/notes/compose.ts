import type { Compose, Draft, List, ListItem } from '../../read/draft.ts';
import { allLists, wholeItem } from '../../read/parts/lists.ts';
import { capitalised, named } from '../../read/parts/naming.ts';
import { pairsIn } from '../../read/parts/pairs.ts';
import { says, tokensIn } from '../../read/parts/words.ts';
import { fold } from '../../read/phrases.ts';

interface Content {
  readonly names: Readonly<Record<string, string>>;
  readonly named: Readonly<Record<string, string>>;
  readonly tagline: string;
  /** What words are called that notes are filed under. */
  readonly tagWords: readonly string[];
  readonly welcome: { readonly title: string; readonly text: string };
}

const maxNotes = 24;

/** A note for each thing that the prompt lists; otherwise one that tells how notes work, with the tags that are named. */
export const compose: Compose<Content> = (draft, { names, named: patterns, tagline, welcome, tagWords }) => {
  const variant = draft.variant || 'notes';
  const tags = tagsIn(draft, tagWords);
  const listed = notesIn(draft, tagWords);
  // What each entry of a journal is to have is none of its entries.
  const isField = ({ title }: { readonly title: string }) =>
    variant === 'journal' && draft.fields.some(({ label }) => fold(label) === fold(title));
  const notes = listed.filter((note) => !isField(note));
  const text = tags.length > 0 ? `${welcome.text} ${tags.join(' ')}` : welcome.text;
  const begun = variant === 'journal' && tags.length === 0 ? [] : [{ ...welcome, text: text.slice(0, 600) }];
  return {
    spec: {
      variant,
      name: named(draft, patterns[variant] ?? '', names[variant] ?? ''),
      tagline,
      features: ['search', 'undo', 'print', 'dark'],
      sections: [
        {
          type: 'items',
          title: '–',
          items:
            tags.length > 0 ? [...notes.slice(0, maxNotes - 1), ...begun] : notes.length > 0 ? notes : begun,
        },
      ],
    },
    assumptions: [],
  };
};

/** Notes with their texts, such as `Plumber: 0171 555`, and those of which only the title is said. */
function notesIn(draft: Draft, tagWords: readonly string[]) {
  const pairs = pairsIn(draft);
  const isPair = ({ start, end }: ListItem) => pairs.some((pair) => pair.start < end && start < pair.end);
  const listed = allLists(draft)
    .filter((list) => !isTagged(draft, list, tagWords))
    .flatMap(({ items }) => items.filter((item) => !isPair(item) && !isTags(draft, item, tagWords)))
    .map((item) => ({ at: item.start, title: wholeItem(draft, item), text: '' }));
  const stated = pairs.map(({ front, answer, start }) => ({ at: start, title: front, text: answer }));
  return [...stated, ...listed]
    .toSorted((a, b) => a.at - b.at)
    .slice(0, maxNotes)
    .map(({ title, text }) => ({
      title: capitalised(title, draft.lang).slice(0, 120),
      ...(text === '' ? {} : { text: text.slice(0, 600) }),
    }));
}

/** `tags (idea, chorus)`, `tags: idea, chorus` and `with tags idea, chorus`, as notes write them: `#idea`. */
function tagsIn(draft: Draft, tagWords: readonly string[]): string[] {
  const lists = allLists(draft);
  const named = [
    ...lists
      .filter((list) => isTagged(draft, list, tagWords))
      .flatMap(({ items }) => items.map((item) => withoutWord(draft, item, tagWords))),
    ...lists.flatMap(({ items }) =>
      items.filter((item) => isTags(draft, item, tagWords)).flatMap(({ options }) => options),
    ),
  ];
  const words = [...named, ...inParentheses(draft, tagWords)]
    .map((text) => text.trim().replace(/\s+/g, '_'))
    .filter((text) => /^[\p{L}\p{N}_-]{1,40}$/u.test(text));
  return [...new Set(words)].map((text) => `#${text}`);
}

/** What stands in parentheses right behind the word for tags. */
function inParentheses({ tokens, prompt }: Draft, tagWords: readonly string[]): string[] {
  const at = tokens.findIndex((token, index) => says([token], tagWords) && tokens[index + 1]?.text === '(');
  const close = tokens.findIndex(({ text }, index) => index > at && text === ')');
  if (at < 0 || close < 0) return [];
  return prompt.slice(tokens[at + 1]?.end, tokens[close]?.start).split(/\s*[,;/]\s*/);
}

/** `tags idea` is the tag `idea`. */
function withoutWord(draft: Draft, item: ListItem, tagWords: readonly string[]): string {
  const [first, second] = tokensIn(draft, item);
  return first && second && item.options.length === 0 && says([first], tagWords)
    ? item.text.slice(second.start - first.start)
    : item.text;
}

/** Whether a list is one of tags: its word stands right in front of it, or begins it. */
function isTagged(draft: Draft, { intro, start, items }: List, tagWords: readonly string[]): boolean {
  const before = draft.tokens.filter(({ end }) => end <= start).slice(-2);
  const [first] = items;
  return (
    tagWords.includes(intro) ||
    says(before, tagWords) ||
    (first !== undefined && items.length > 1 && withoutWord(draft, first, tagWords) !== first.text)
  );
}

const isTags = (draft: Draft, item: ListItem, tagWords: readonly string[]): boolean =>
  item.options.length > 0 && says(tokensIn(draft, item), tagWords);
