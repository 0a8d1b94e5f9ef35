/**
 * Tags: labels of a request by which its usage and cost are grouped. They are no secrets, and the sender chooses them.
 */
export type Tags = Readonly<Record<string, string>>;

/** Maximum number of tags of a request, and of a key. */
export const maxTags = 16;
/** Maximum length of a tag's value, in UTF-16 code units. */
export const maxTagValue = 256;

const name = /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,63}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are kept out.
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** The rule for names of tags, for messages. */
export const tagNameRule =
  'A tag name has 1 to 64 letters, digits, and "_", ".", ":", "/", "-" after the first.';
/** The rule for values of tags, for messages. */
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

/** The problem of tags, in a whole sentence; null: none. */
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

/**
 * A member of the list: a name, `=`, and a value that is quoted as a string of structured fields is (RFC 9651, section 3.3.3),
 * or plain. Between members there is a comma, and white space wherever it does no harm.
 */
const member =
  /[ \t]*([^\s=,"]*)=(?:"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"|([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*))[ \t]*(?:,|$)/y;

/**
 * The tags of a header, as `team=search, env="pre production"`. A plain value may have percent escapes, of UTF-8. Of a name
 * that is there twice the last value holds. Throws `SyntaxError`, whose message is a whole sentence, with the place.
 */
export function readTagsHeader(text: string): Tags {
  const tags: Record<string, string> = {};
  if (text.trim() === '') return tags;
  let at = 0;
  for (let n = 1; at < text.length; n += 1) {
    member.lastIndex = at;
    const [, name = '', quoted, plain = ''] = member.exec(text) ?? fail(n, at, expected);
    if (!isTagName(name)) fail(n, at, tagNameRule);
    const value = quoted === undefined ? unescaped(plain, n, at) : quoted.replaceAll(/\\(["\\])/g, '$1');
    if (!isTagValue(value)) fail(n, at, tagValueRule);
    tags[name] = value;
    at = member.lastIndex;
  }
  return tags;
}

const expected =
  'Expected name=value with a comma before the next; a value with spaces, commas, semicolons or quotes is quoted, and other than ASCII is percent-encoded.';

function unescaped(plain: string, n: number, at: number): string {
  if (!plain.includes('%')) return plain;
  try {
    return decodeURIComponent(plain);
  } catch {
    return fail(n, at, 'A percent escape is broken, or is not UTF-8; "%" itself is %25.');
  }
}

function fail(n: number, at: number, what: string): never {
  throw new SyntaxError(`Tag ${n}, at character ${at + 1}: ${what}`);
}
