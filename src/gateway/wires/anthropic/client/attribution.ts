/**
 * Claude Code's first instruction says for whom it asks, and changes with each request. Anthropic takes it out; left in, it
 * would empty the prompt cache of any other vendor.
 */
const attribution = 'x-anthropic-billing-header:';

/** Instructions without the line of attribution. */
export function withoutAttribution(text: string): string {
  if (!text.startsWith(attribution)) return text;
  const end = text.indexOf('\n');
  return end < 0 ? '' : text.slice(end + 1);
}
