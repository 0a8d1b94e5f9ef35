const bullet = /^\s{0,8}(?:[-–—*•·+]|\d{1,2}[.)]|\[[ x]?\])\s+/u;

/** “Apple = Apfel”, “apple – Apfel” or “apple,Apfel”: a line of its own that is no prose. */
const pair = /^[^=→,;.\t]{1,60}(?:\s?(?:=>?|→|->)\s?|\s[-–—|]\s|,(?=\S)|\t)[^=→,;\t]{1,60}$/u;

/** “Capital of Peru? Lima”: a question with its answer on one line. */
const asked = /^[^?;]{3,120}\?\s+[^?;]{1,80}$/u;

const isPair = (line: string) => pair.test(line) || asked.test(line);

const minLines = 4;
/** Longer lines may have been broken only because they were long. */
const maxLine = 90;

/**
 * Lines that form a list, as one line with commas: “Plants:”, “- name”, “- species” is “Plants: name, species”.
 * Lines that are broken only because they were long stay as they are.
 */
export function joinedLines(text: string): string {
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
