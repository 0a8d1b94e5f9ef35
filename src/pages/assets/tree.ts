/** Markup as plain data, from which the server writes HTML and the browser makes elements. Text is only ever text. */
export type Tree = string | Element;

export type Element = {
  tag: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly Tree[];
};

/** A tree, or nothing. */
export type Part = Tree | null | false | undefined;

/** @param attributes true stands for an empty value, false and null for none */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string | boolean | null>> = {},
  ...children: readonly Part[]
): Element {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) given[name] = value === true ? '' : value;
  }
  return { tag, attributes: given, children: treesOf(children) };
}

/** What is there of some parts. */
export function treesOf(parts: readonly Part[]): readonly Tree[] {
  return parts.flatMap((part) => part || []);
}
