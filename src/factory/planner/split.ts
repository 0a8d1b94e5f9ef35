const joiners = '(?:and|und|y|e|et|&|sowie|plus|as well as|und auch|or|oder|o|ou|and also|along with)';
/** “Paid or not” and “yes or no” are one item. */
const either =
  /\s(or not|oder nicht|o no|ou non|ou pas|yes or no|ja oder nein|oui ou non|sí o no)(?!\p{L})/giu;
/** Stands for a blank at which an item is not split. */
export const closed = '\u0001';

/** Splits at commas, semicolons, bullets, slashes between blanks and “and”, but not inside brackets. */
export function splitList(text: string): string[] {
  const items: string[] = [];
  const kept = text.replace(either, (all) => all.replaceAll(' ', closed));
  const dashed = kept.split(/ [-–] /u).length > 2;
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= kept.length; at++) {
    const char = kept[at];
    if (char === '(' || char === '[') depth++;
    if (char === ')' || char === ']') depth--;
    if (at === kept.length || (depth <= 0 && separates(kept, at, dashed))) {
      items.push(kept.slice(from, at));
      from = at + 1;
    }
  }
  return items
    .flatMap((item) => splitAnd(item))
    .flatMap((item) => splitSlash(item))
    .map((item) =>
      item
        .trim()
        .replace(new RegExp(`^(?:${joiners}|also|auch|también|aussi|[-–—*])\\s+`, 'iu'), '')
        .replace(/(?:[.!…]|\s+(?:etc|usw|and so on|and more))+$/iu, '')
        .replaceAll(closed, ' ')
        .trim(),
    )
    .filter((item) => item !== '');
}

/** @param dashed there are so many dashes between blanks that they stand between the items */
function separates(text: string, at: number, dashed: boolean): boolean {
  const char = text[at] ?? '';
  if (',;•·|'.includes(char)) return true;
  if ('-–'.includes(char) && text[at - 1] === ' ' && text[at + 1] === ' ') return dashed;
  return '/+'.includes(char) && text[at - 1] === ' ' && text[at + 1] === ' ';
}

/** “name/phone/email” are three; “and/or” and “yes/no” are one. */
function splitSlash(item: string): string[] {
  const parts = item.split(/[/+]/);
  const short = parts.every((part) => /^\s*\p{L}\S*(?: \S+){0,2}\s*$/u.test(part));
  return parts.length >= 3 &&
    short &&
    !item.includes('(') &&
    !/^[^\s/]+ [^\s/]+(?:\/[^\s/]+)+$/u.test(item.trim())
    ? parts
    : [item];
}

function splitAnd(item: string): string[] {
  return item.includes('(') ? bracketAnd(item) : item.split(new RegExp(`\\s+${joiners}\\s+`, 'iu'));
}

/** “name and status (open, done)” is two items; what stands in the brackets stays together. */
function bracketAnd(item: string): string[] {
  const at = item.indexOf('(');
  const close = item.indexOf(')', at);
  const end = close < 0 ? item.length : close + 1;
  const parts = splitAnd(item.slice(0, at));
  const last = parts.pop() ?? '';
  const [tail = '', ...further] = splitAnd(` ${item.slice(end)}`);
  return [...parts, last + item.slice(at, end) + tail.trimEnd(), ...further];
}
