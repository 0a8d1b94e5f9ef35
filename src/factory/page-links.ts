import { createRequire } from 'node:module';
import path from 'node:path';
import type { DefaultTreeAdapterTypes } from 'parse5';

/** Loaded with the first page: the server knows this file from its start. */
let parse: typeof import('parse5').parse | null = null;

/** A script or stylesheet that the page refers to by a path, with its place in the page's text. */
export interface PageLink {
  readonly kind: 'script' | 'style';
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** The scripts and stylesheets of a page in the order in which they stand. Addresses with a scheme are left out. */
export function pageLinks(html: string): PageLink[] {
  return elementsOf(html).flatMap((element) => {
    const kind = kindOf(element);
    const address = attribute(element, kind === 'script' ? 'src' : 'href');
    const location = element.sourceCodeLocation;
    if (!kind || !address || !location || isForeign(address)) return [];
    const target = path.posix.join('.', address.split(/[?#]/)[0] ?? '');
    return [
      { kind, path: target, start: location.startOffset, end: location.endOffset, line: location.startLine },
    ];
  });
}

function kindOf(element: Element): PageLink['kind'] | null {
  if (element.tagName === 'script') return 'script';
  return element.tagName === 'link' && attribute(element, 'rel') === 'stylesheet' ? 'style' : null;
}

/** Whether an address leads out of the build. */
export function isForeign(address: string): boolean {
  return /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(address.trim());
}

export type Element = DefaultTreeAdapterTypes.Element;

type Node = DefaultTreeAdapterTypes.Node;

/** Every element of a page, in the order in which they stand. */
export function elementsOf(html: string): Element[] {
  const found: Element[] = [];
  const visit = (node: Node) => {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) node.childNodes.forEach(visit);
    if ('content' in node) visit(node.content);
  };
  parse ??= (createRequire(import.meta.url)('parse5') as typeof import('parse5')).parse;
  visit(parse(html, { sourceCodeLocationInfo: true }));
  return found;
}

export function attribute(element: Element, name: string): string | null {
  return element.attrs.find((entry) => entry.name === name)?.value ?? null;
}

/** The text inside an element. */
export function textOf(element: Element): string {
  return element.childNodes
    .map((node) => ('value' in node ? node.value : 'tagName' in node ? textOf(node) : ''))
    .join('');
}

/** What a page says of itself: its name, its language, and its icon where that stands in it. */
export function headOf(page: string): {
  readonly title: string | null;
  readonly lang: string | null;
  readonly icon: string | null;
} {
  const elements = elementsOf(page);
  const named = elements.find(({ tagName }) => tagName === 'title');
  const root = elements.find(({ tagName }) => tagName === 'html');
  const icon = elements
    .filter((element) => element.tagName === 'link' && attribute(element, 'rel') === 'icon')
    .map((element) => attribute(element, 'href'))
    .find((href) => href?.startsWith('data:image/'));
  return {
    title: named ? textOf(named) : null,
    lang: (root && attribute(root, 'lang')) ?? null,
    icon: icon ?? null,
  };
}
