const bullet = /^\s{0,8}(?:[-–—*•·+]|\d{1,2}[.)]|\[[ x]?\])\s+/u;

/**
 * Lines that form a list, as one line with commas: “Plants:”, “- name”, “- species” is “Plants: name, species”.
 * Lines that are broken only because they were long stay as they are.
 */
export function joinedLines(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/u).filter((line) => line.trim() !== '');
  if (lines.length < 2) return text;
  let joined = '';
  let listing = false;
  for (const line of lines) {
    const item = bullet.test(line);
    const body = line.replace(bullet, '').trim();
    const closed = /[.,;:!?…]$/u.test(joined);
    if (joined === '') joined = body;
    else if (item) joined += `${closed ? '' : listing ? ',' : ':'} ${body}`;
    else joined += `${listing && !closed ? '.' : ''} ${body}`;
    listing = item;
  }
  return joined;
}
