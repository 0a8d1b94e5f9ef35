import { attribute, elementsOf, pageLinks, textOf } from '../page-links.ts';
import { parsedPath } from '../verify/paths.ts';
import {
  type Block,
  fencedBlocks,
  jsonIn,
  lonePage,
  looselyMarkedBlocks,
  markedBlocks,
  taggedBlocks,
} from './blocks.ts';

/** The way in which an answer held its files. */
export type Form = 'marked' | 'loosely-marked' | 'tagged' | 'fenced' | 'json' | 'page';

export interface ReadAnswer {
  /** Whole files by path, of the wanted ones. */
  readonly files: ReadonlyMap<string, string>;
  /** The wanted file in which the answer broke off; null when it did not. */
  readonly cut: string | null;
  /** Null when there is no file in it. */
  readonly form: Form | null;
}

/**
 * Reads the files out of a model's answer. Models do not always keep to the form that they were asked for, so the others
 * that they are used to are tried after it, in order. Any text may be given; what is not a wanted file is dropped.
 */
export function readFiles(answer: string, boundary: string, wanted: ReadonlySet<string>): ReadAnswer {
  const text = answer.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const forms: readonly (readonly [Form, () => readonly Block[]])[] = [
    ['marked', () => markedBlocks(text, boundary)],
    ['loosely-marked', () => looselyMarkedBlocks(text)],
    ['tagged', () => taggedBlocks(text)],
    ['fenced', () => fencedBlocks(text, wanted)],
    ['json', () => jsonBlocks(text)],
    ['page', () => pageBlocks(text, wanted)],
  ];
  for (const [form, read] of forms) {
    const blocks = read().filter((block) => wanted.has(block.path));
    if (blocks.length > 0) return { ...gathered(blocks), form };
  }
  return { files: new Map(), cut: null, form: null };
}

/** A file that stands twice was begun again: the later one counts. */
function gathered(blocks: readonly Block[]): Pick<ReadAnswer, 'files' | 'cut'> {
  const files = new Map<string, string>();
  for (const { path, text, closed } of blocks) {
    if (closed) files.set(path, text);
    else files.delete(path);
  }
  const last = blocks.at(-1);
  return { files, cut: last && !last.closed ? last.path : null };
}

/** `{"src/app.js": "…"}` or `[{"path": "src/app.js", "content": "…"}]`, alone or as `files`. */
function jsonBlocks(text: string): Block[] {
  const answer = jsonIn(text);
  const held = objectOf(answer)['files'] ?? answer;
  const entries = Array.isArray(held)
    ? held.map((entry) => [objectOf(entry)['path'], objectOf(entry)['content']] as const)
    : Object.entries(objectOf(held));
  return entries.flatMap(([path, content]) =>
    typeof path === 'string' && typeof content === 'string'
      ? [{ path: parsedPath(path), text: content.endsWith('\n') ? content : `${content}\n`, closed: true }]
      : [],
  );
}

const objectOf = (value: unknown) =>
  (value !== null && typeof value === 'object' ? value : {}) as Readonly<Record<string, unknown>>;

function pageBlocks(text: string, wanted: ReadonlySet<string>): Block[] {
  const page = lonePage(text);
  if (!page) return [];
  if (!page.closed) return [page];
  return [...splitPage(page.text, wanted)].map(([path, part]) => ({ path, text: part, closed: true }));
}

/**
 * A page with everything in it, taken apart into the wanted files: scripts and styles that stand in it move into the
 * first script and the first stylesheet among them, to which the page then refers.
 */
function splitPage(html: string, wanted: ReadonlySet<string>): Map<string, string> {
  const target = (ending: string) => [...wanted].find((path) => path.endsWith(ending)) ?? null;
  const inline = elementsOf(html).flatMap((element) => {
    const location = element.sourceCodeLocation;
    const isScript =
      element.tagName === 'script' &&
      attribute(element, 'src') === null &&
      ['', 'module', 'text/javascript'].includes(attribute(element, 'type') ?? '');
    const path = isScript ? target('.js') : element.tagName === 'style' ? target('.css') : null;
    return location && path
      ? [{ path, text: textOf(element), from: location.startOffset, to: location.endOffset }]
      : [];
  });
  let page = html;
  for (const { from, to } of [...inline].sort((a, b) => b.from - a.from))
    page = page.slice(0, from) + page.slice(to);
  const files = new Map<string, string>();
  for (const { path, text } of inline) files.set(path, `${files.get(path) ?? ''}${text.trim()}\n`);
  const linked = new Set(pageLinks(page).map((link) => link.path));
  for (const path of [...files.keys()].filter((path) => !linked.has(path))) page = withLink(page, path);
  return new Map([['index.html', page], ...files]);
}

function withLink(page: string, path: string): string {
  const isScript = path.endsWith('.js');
  const link = isScript
    ? `<script type="module" src="${path}"></script>\n`
    : `<link rel="stylesheet" href="${path}">\n`;
  const at = page.toLowerCase().lastIndexOf(isScript ? '</body>' : '</head>');
  return at < 0 ? page + link : page.slice(0, at) + link + page.slice(at);
}
