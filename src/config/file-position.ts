import { type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq, type Node } from 'yaml';
import type { Path } from './file.ts';

/**
 * Offset in the text of what a path leads to, or of the last thing on the way that is there.
 * @param part of the last map entry: its key or its value.
 */
export function offsetOf(document: Document, path: Path, part: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, step] of path.entries()) {
    const entry = child(resolveAlias(node, document), step);
    if (entry === undefined) break;
    const last = depth === path.length - 1;
    node = isPair(entry) ? entry.value : entry;
    const shown = isPair(entry) && last && part === 'key' ? entry.key : node;
    offset = startOf(shown) ?? offset;
  }
  return offset;
}

function child(node: unknown, step: string): unknown {
  if (isMap(node)) return node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
  if (isSeq(node)) return node.items[Number(step)];
  return undefined;
}

function resolveAlias(node: unknown, document: Document): Node | unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
