import { isTooDeep } from '../../lib/json.ts';
import { parsedPath } from '../verify/paths.ts';

/** A file as it stands in an answer. One that is not closed may lack its end. */
export interface Block {
  readonly path: string;
  readonly text: string;
  readonly closed: boolean;
}

/** Maximum length of a line that can be a mark. */
const maxMarkLength = 400;

/** The line before a file. */
export const fileMark = (boundary: string, path: string) => `=== FILE ${boundary} ${path}`;
/** The line after a file. */
export const endMark = (boundary: string) => `=== END ${boundary}`;

/** The line of an answer in which no file has to change. */
export const noFilesMark = (boundary: string) => `=== NO FILES ${boundary}`;

/** A file as a model is asked to write it, and as it is shown to one. */
export function writtenBlock(boundary: string, path: string, text: string): string {
  return `${fileMark(boundary, path)}\n${text}${text.endsWith('\n') ? '' : '\n'}${endMark(boundary)}`;
}

/** Files between marks with this boundary. A mark that opens a file closes the one before it. */
export function markedBlocks(answer: string, boundary: string): Block[] {
  const name = boundary.replace(/[^A-Za-z0-9]/g, '');
  return between(
    answer,
    new RegExp(`^[\\s>*#\`]*={2,}\\s*FILE\\s+${name}\\s+(.+?)[\\s=*\`]*$`, 'i'),
    new RegExp(`^[\\s>*#\`]*={2,}\\s*END\\s+${name}(?![A-Za-z0-9])`, 'i'),
  );
}

/** The same where the boundary was left out or copied wrongly. */
export function looselyMarkedBlocks(answer: string): Block[] {
  return between(
    answer,
    /^[\s>*#`]*={2,}\s*FILE:?\s+(?:[A-Za-z0-9]{1,16}\s+)?([^\s=*`]+)[\s=*`]*$/i,
    /^[\s>*#`]*={2,}\s*END(?:\s+(?:OF\s+)?(?:FILE\b)?.{0,80})?$/i,
  );
}

function between(answer: string, opens: RegExp, closes: RegExp): Block[] {
  const blocks: Block[] = [];
  let path: string | null = null;
  let lines: string[] = [];
  const close = (closed: boolean) => {
    if (path !== null)
      blocks.push({ path, text: withoutFence(path, lines.map((line) => `${line}\n`).join('')), closed });
    path = null;
    lines = [];
  };
  for (const line of answer.split('\n')) {
    const mark = line.length <= maxMarkLength && line.includes('==');
    const opened = mark ? opens.exec(line)?.[1] : undefined;
    if (opened !== undefined) {
      close(true);
      path = parsedPath(opened);
    } else if (mark && closes.test(line)) close(true);
    else if (path !== null) lines.push(line);
  }
  close(false);
  return blocks;
}

/** Files in elements that name a path: `<file path="…">`, `< boltAction type="file" filePath="…">`. */
export function taggedBlocks(answer: string): Block[] {
  const blocks: Block[] = [];
  const opens = /<\s*(file|boltAction|dyad-write|write_file|artifact_file)\b([^<>]{1,400})>/gi;
  for (let tag = opens.exec(answer); tag; tag = opens.exec(answer)) {
    const [whole, name = '', attributes = ''] = tag;
    const path = /\b(?:path|filePath|file_path|filename|name|src)\s*=\s*["'{]*([^"'}\s]+)/i.exec(
      attributes,
    )?.[1];
    if (path === undefined) continue;
    const start = tag.index + whole.length;
    const closes = new RegExp(`<\\s*/\\s*${name}\\s*>`, 'gi');
    closes.lastIndex = start;
    const end = closes.exec(answer);
    const text = answer.slice(start, end?.index).replace(/^[ \t]*\n/, '');
    const known = parsedPath(path);
    blocks.push({ path: known, text: withoutFence(known, text), closed: end !== null });
    opens.lastIndex = end ? closes.lastIndex : answer.length;
  }
  return blocks;
}

/** Markdown fences that belong to one of the wanted paths: it stands in the line before, behind the fence or in it. */
export function fencedBlocks(answer: string, wanted: ReadonlySet<string>): Block[] {
  const named = (line: string | undefined) => {
    if (line === undefined || line.length > maxMarkLength) return null;
    const paths = [...wanted].filter((path) => mentions(line, path));
    const [longest] = paths.sort((a, b) => b.length - a.length);
    return longest !== undefined && paths.every((path) => longest.includes(path)) ? longest : null;
  };
  return fences(answer).flatMap(({ info, before, text, closed }) => {
    const [first = '', ...rest] = text.split('\n');
    const comment = /^\s*(?:\/\/|\/\*|<!--|#)/.test(first) ? named(first) : null;
    const path = named(info) ?? named(before) ?? comment;
    return path === null
      ? []
      : [{ path, text: comment === path && named(info) === null ? rest.join('\n') : text, closed }];
  });
}

function mentions(line: string, path: string): boolean {
  const literal = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w/-])(?:\\.?/)?${literal}(?![\\w/-]|\\.\\w)`).test(line);
}

interface Fence {
  readonly info: string;
  /** The last line before it that is not empty. */
  readonly before: string | undefined;
  readonly text: string;
  readonly closed: boolean;
}

function fences(answer: string): Fence[] {
  const found: Fence[] = [];
  let open: { mark: string; info: string; before: string | undefined; lines: string[] } | null = null;
  let last: string | undefined;
  const close = (closed: boolean) => {
    if (open) found.push({ ...open, text: `${open.lines.join('\n')}\n`, closed });
    open = null;
  };
  for (const line of answer.split('\n')) {
    const [, mark = '', info = ''] =
      line.length <= maxMarkLength ? (/^\s{0,3}(`{3,}|~{3,})\s*([^`]*)$/.exec(line) ?? []) : [];
    if (open === null) {
      if (mark) open = { mark, info, before: last, lines: [] };
    } else if (mark.startsWith(open.mark) && info.trim() === '') close(true);
    else open.lines.push(line);
    if (line.trim() !== '') last = line;
  }
  close(false);
  return found;
}

/** A page that stands alone: in a fence, or with words around it. */
export function lonePage(answer: string): Block | null {
  const start = /<!doctype html|<html[\s>]/i.exec(answer)?.index;
  if (start === undefined) return null;
  const end = answer.toLowerCase().lastIndexOf('</html>');
  const closed = end > start;
  return { path: 'index.html', text: `${answer.slice(start, closed ? end + 7 : undefined)}\n`, closed };
}

/** Without the fence that a model has put around a file although it does not belong to it. */
function withoutFence(path: string, text: string): string {
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  if (path.endsWith('.md')) return ended;
  const lines = ended.trim().split('\n');
  const fenced =
    /^(?:`{3,}|~{3,})[^`]{0,80}$/.test(lines[0] ?? '') && /^\s*(?:`{3,}|~{3,})$/.test(lines.at(-1) ?? '');
  return fenced && lines.length > 1 ? lines.slice(1, -1).concat('').join('\n') : ended;
}

/** The JSON object or list in a text, whatever stands around it: a fence, words. Null when there is none. */
export function jsonIn(text: string): unknown {
  for (const [opens, closes] of [
    ['{', '}'],
    ['[', ']'],
  ] as const) {
    const start = text.indexOf(opens);
    const end = text.lastIndexOf(closes);
    if (start < 0 || end < start || isTooDeep(text)) continue;
    try {
      return JSON.parse(text.slice(start, end + 1));
    } catch {}
  }
  return null;
}
