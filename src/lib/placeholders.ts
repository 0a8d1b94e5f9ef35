/** `{{name}}` in a text: a letter, then at most 63 letters, digits and `_`. */
const placeholder = /\{\{\s*([A-Za-z][A-Za-z0-9_]{0,63})\s*\}\}/g;

/** Names of the variables in a text, each once, in the order of their appearance. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))];
}

/** The text with its variables filled in; one without a value is left empty. */
export function withVariables(
  text: string,
  values: Readonly<Record<string, string | number | boolean>>,
): string {
  return text.replaceAll(placeholder, (_, name: string) => String(values[name] ?? ''));
}
