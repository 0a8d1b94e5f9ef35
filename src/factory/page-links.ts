import path from 'node:path';
import { attribute, type Element, elementsOf } from '../lib/html.ts';

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
