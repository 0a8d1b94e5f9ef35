const bullet = /^\s{0,8}(?:[-–—*•·+]|\d{1,2}[.)]|\[[ x]?\])\s+/u;

/** “Apple = Apfel” or “apple,Apfel”: a line of its own that is no prose. */
const pair = /^[^=→,;.\t]{1,60}(?:\s?(?:=>?|→|->)\s?|,(?=\S)|\t)[^=→,;\t]{1,60}$/u;

/**
 * Lines that form a list, as one line with commas: “Plants:”, “- name”, “- species” is “Plants: name, species”.
 * Lines that are broken only because they were long stay as they are.
 */
export function joinedLines(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/u).filter((line) => line.trim() !== '');
  if (lines.length < 2) return text;
  let joined = '';
  let listing = false;
  let paired = false;
  for (const line of lines) {
    const item = bullet.test(line);
    const body = line.replace(bullet, '').trim();
    const closed = /[.,;:!?…]$/u.test(joined);
    if (joined === '') joined = body;
    else if (item) joined += `${closed ? '' : listing ? ',' : ':'} ${body}`;
    else if (pair.test(body)) joined += `${closed ? '' : paired ? ';' : ':'} ${body}`;
    else joined += `${listing && !closed ? '.' : ''} ${body}`;
    listing = item;
    paired = pair.test(body);
  }
  return joined;
}
