const bullet = /^\s{0,8}(?:[-–—*•·+]|\d{1,2}[.)]|\[[ x]?\])\s+/u;

/** “Apple = Apfel”, “apple – Apfel” or “apple,Apfel”: a line of its own that is no prose. */
const pair = /^[^=→,;.\t]{1,60}(?:\s?(?:=>?|→|->)\s?|\s[-–—|]\s|,(?=\S)|\t)[^=→,;\t]{1,60}$/u;

/** “Capital of Peru? Lima”: a question with its answer on one line. */
const asked = /^[^?;]{3,120}\?\s+[^?;]{1,80}$/u;

const isPair = (line: string) => pair.test(line) || asked.test(line);

const minLines = 4;

/** Longer lines may have been broken only because they were long. */
const maxLine = 90;

/** Minimum and maximum length of a prompt in characters, after cleaning. */
export const promptLimits = { min: 3, max: 2000 } as const;

const unseen =
  '\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u2066-\\u206f\\u3000\\ud800-\\udfff\\ufeff\\ufff9-\\ufffb';
/**
 * Whether enough of a prompt can be seen: the pattern of prompts in the contract, and no halves of surrogate pairs, which the
 * regular expressions of other languages cannot name.
 */
export const seen = new RegExp(`^(?:[${unseen}]*[^${unseen}]){${promptLimits.min}}`, 'u');

/** A prompt made fit to work with: composed letters, one line, no control characters. */
export function cleanPrompt(raw: string): string {
  return joinedLines(raw.toWellFormed().normalize('NFC'))
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Lines that form a list, as one line with commas: “Plants:”, “- name”, “- species” is “Plants: name, species”.
 * Lines that are broken only because they were long stay as they are.
 */
function joinedLines(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/u).filter((line) => line.trim() !== '');
  if (lines.length < 2) return text;
  // Items that hold commas themselves are parted by semicolons.
  const nested = lines.some((line) => bullet.test(line) && /[,:]\s/.test(line));
  // Several short lines are each a statement of its own.
  const broken = lines.length >= minLines && lines.every((line) => line.trim().length <= maxLine);
  let joined = '';
  let listing = false;
  let paired = false;
  for (const line of lines) {
    const item = bullet.test(line);
    const body = line.replace(bullet, '').trim();
    const closed = /[.,;:!?…]$/u.test(joined);
    if (joined === '') joined = body;
    else if (item) joined += `${closed ? '' : listing ? (nested ? ';' : ',') : ':'} ${body}`;
    else if (isPair(body)) joined += `${closed ? '' : paired ? ';' : ':'} ${body}`;
    else joined += `${(listing || broken) && !closed ? '.' : ''} ${body}`;
    listing = item;
    paired = isPair(body);
  }
  return joined;
}
