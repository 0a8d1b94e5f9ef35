/** How much is remembered: texts in characters, each at most the second. More than all templates have together. */
const maxChars = 4 * 1024 * 1024;
const maxTextChars = 128 * 1024;

/**
 * The same function of a file, which remembers what it found as long as there is room. Most files of a build are a
 * template's own and come again in the next build; what was longest out of use is forgotten first.
 * @param find depends on its arguments alone, and nobody changes what it gives
 */
export function remembered<Found>(
  find: (file: string, text: string) => Found,
): (file: string, text: string) => Found {
  const known = new Map<string, { readonly file: string; readonly found: Found }>();
  let chars = 0;
  return (file, text) => {
    const before = known.get(text);
    if (before?.file === file) {
      known.delete(text);
      known.set(text, before);
      return before.found;
    }
    const found = find(file, text);
    if (text.length > maxTextChars) return found;
    if (!before) chars += text.length;
    known.set(text, { file, found });
    for (const oldest of known.keys()) {
      if (chars <= maxChars) break;
      known.delete(oldest);
      chars -= oldest.length;
    }
    return found;
  };
}
