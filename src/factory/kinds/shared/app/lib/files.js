import { app } from './app.js';
import { h } from './dom.js';

/**
 * Offers a text as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export const download = (name, text, type = 'text/plain') =>
  offer(name, new Blob([text], { type: `${type};charset=utf-8` }));

/**
 * Offers a file.
 * @param {string} name
 * @param {Blob} blob
 */
export function offer(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = h('a', { href: url, download: `${app.id}-${name}` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/**
 * Lets the visitor choose a file and gives its text to `use`.
 * @param {string} accept
 * @param {(text: string, name: string) => unknown} use
 */
export function pickFile(accept, use) {
  const read = async () => {
    const [file] = input.files ?? [];
    input.remove();
    if (file) use(await file.text(), file.name);
  };
  const input = h('input', { type: 'file', accept, hidden: true, 'aria-label': accept, onchange: read });
  document.body.append(input);
  input.click();
}

/** What a file says, of which nothing is sure; nothing where it is no JSON. */
export function parsed(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/**
 * Writes rows as CSV that a spreadsheet opens: quoted where needed, and no cell is taken for a formula. Three decimals
 * get a fourth, as nothing else tells 1.125 from a thousand and more.
 * @param {unknown[][]} rows
 */
export function toCsv(rows) {
  /** @param {unknown} value */
  const cell = (value) => {
    const plain = String(value ?? '');
    const text = typeof value === 'number' && /\.\d{3}$/.test(plain) ? `${plain}0` : plain;
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",;\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/**
 * Reads CSV with commas, semicolons or tabs between its cells, and takes off what kept a cell from being a formula.
 * @param {string} text
 */
export function fromCsv(text) {
  const source = text.replace(/^\uFEFF/, '');
  const head = source.slice(0, source.search(/\r|\n|$/));
  const comma = [',', ';', '\t'].sort((a, b) => head.split(b).length - head.split(a).length)[0];
  /** @type {string[]} */
  let row = [];
  const rows = [row];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (quoted) {
      if (char !== '"') cell += char;
      else if (source[at + 1] === '"') cell += source[++at];
      else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === comma || char === '\n') {
      row.push(cell);
      cell = '';
      if (char === '\n') {
        row = [];
        rows.push(row);
      }
    } else if (char !== '\r') cell += char;
  }
  row.push(cell);
  return rows
    .filter((cells) => cells.some((value) => value.trim() !== ''))
    .map((cells) => cells.map((value) => value.replace(/^'(?=[=+\-@\t\r])/, '')));
}
