import { isTagName, isTagValue, type Tags, tagNameRule, tagValueRule } from './tags.ts';

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
