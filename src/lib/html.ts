import { createRequire } from 'node:module';
import type { DefaultTreeAdapterTypes } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** Loaded with the first page: the server knows this file from its start. */
let parse: typeof import('parse5').parse | null = null;

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
