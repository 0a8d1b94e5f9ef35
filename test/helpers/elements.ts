import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';

/** An element of a page, as plain data. */
export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

/** All elements of some HTML, in their order, those within others too. */
export function elementsIn({ text }: { readonly text: string }): readonly Element[] {
  const found: Element[] = [];
  const read = (node: DefaultTreeAdapterMap['childNode']): readonly (Element | string)[] => {
    if ('value' in node) return [node.value];
    if (!('attrs' in node)) return [];
    const children: (Element | string)[] = [];
    const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
    const element = { tag: node.tagName, attributes, children };
    found.push(element);
    children.push(...node.childNodes.flatMap(read));
    return [element];
  };
  parseFragment(text).childNodes.forEach(read);
  return found;
}

export function textOf(children: Element['children']): string {
  return children.map((child) => (typeof child === 'string' ? child : textOf(child.children))).join('');
}
