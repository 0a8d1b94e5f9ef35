/**
 * Tags: labels of a request by which its usage and cost are told apart. They are no secrets, and whoever sends them
 * chooses them.
 */
export type Tags = Readonly<Record<string, string>>;

/** Maximum number of tags of a request, and of a key. */
export const maxTags = 16;
/** Maximum length of a tag's value, in UTF-16 code units. */
export const maxTagValue = 256;

const name = /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,63}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are kept out.
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** What the name of a tag is, for messages. */
export const tagNameRule =
  'A tag name has 1 to 64 letters, digits, and "_", ".", ":", "/", "-" after the first.';
/** What the value of a tag is, for messages. */
export const tagValueRule = `A tag value has at most ${maxTagValue} characters, without control characters.`;

/** Whether a text may be the name of a tag. */
export function isTagName(text: string): boolean {
  return name.test(text);
}

/** Whether a value may be that of a tag. */
export function isTagValue(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length <= maxTagValue && value.isWellFormed() && !control.test(value)
  );
}

/** What is wrong with tags, in a whole sentence; null: nothing. */
export function problemOfTags(tags: Tags): string | null {
  const entries = Object.entries(tags);
  if (entries.length > maxTags) return `There are at most ${maxTags} tags, and these are ${entries.length}.`;
  for (const [key, value] of entries) {
    if (!isTagName(key)) return tagNameRule;
    if (!isTagValue(value)) return tagValueRule;
  }
  return null;
}

/** Tags as they are stored: JSON with the names in order, so that the same tags are the same text; null: none. */
export function tagsText(tags: Tags | undefined): string | null {
  if (tags === undefined) return null;
  const names = Object.keys(tags);
  if (names.length === 0) return null;
  return JSON.stringify(Object.fromEntries(names.sort().map((key) => [key, tags[key]])));
}

/** Tags out of their stored form. */
export function tagsIn(text: string | null): Tags {
  return text === null ? none : (JSON.parse(text) as Tags);
}

const none: Tags = Object.freeze({});
