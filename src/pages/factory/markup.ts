import type { Tree } from '../assets/tree.js';
import { escapeHtml, Html } from '../html.ts';

const voids: ReadonlySet<string> = new Set(['input', 'br', 'img', 'meta', 'link']);

/** The HTML of what the browser draws from the same trees. */
export function markup(trees: readonly Tree[]): Html {
  return new Html(trees.map(write).join(''));
}

function write(tree: Tree): string {
  if (typeof tree === 'string') return escapeHtml(tree);
  const { tag, attributes, children } = tree;
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  const start = `<${tag}${written.join('')}>`;
  return voids.has(tag) ? start : `${start}${children.map(write).join('')}</${tag}>`;
}
