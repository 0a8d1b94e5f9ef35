import type { AppSpec, Lang, SectionItem } from '../spec.ts';
import { type Business, businesses } from './content/business.ts';
import { inLang } from './text.ts';
import { words } from './words.ts';

export type SiteParts = Pick<AppSpec, 'sections' | 'hours' | 'contact' | 'copy' | 'tagline'> & {
  /** Something is only an example and must be replaced. */
  readonly examples: readonly ('prices' | 'hours' | 'texts' | 'date' | 'nextDay' | 'programme')[];
};

const patterns = businesses.map((business) => ({ business, pattern: words(business.words) }));

/** The business that a prompt is about, and where it is mentioned. The most special one wins, then the first. */
export function businessIn(
  prompt: string,
): { readonly business: Business; readonly at: number; readonly text: string } | null {
  for (const { business, pattern } of patterns) {
    const match = pattern.exec(prompt);
    if (match) return { business, at: match.index / prompt.length, text: match[0] };
  }
  return null;
}

/** `a~b~c;…` as items, the parts being title, text and one more. */
export function items(texts: string, lang: Lang, third: 'price' | 'meta'): SectionItem[] {
  const lines = inLang(texts, lang);
  if (!lines) return [];
  return lines.split(';').map((line) => {
    const [title = '', text = '', more = ''] = line.split('~');
    return { title, ...(text ? { text } : {}), ...(more ? { [third]: more } : {}) };
  });
}

export const fill = (texts: string, lang: Lang, name: string) =>
  inLang(texts, lang).replaceAll('{name}', name);

const described =
  /(?<![\p{L}\p{N}])(?:"[^"]{2,60}"|“[^”]{2,60}”|„[^“”"]{2,60}[“”"]|«[^»]{2,60}»|\p{Lu}[\p{L}\p{N}’'&.-]*)\s?[,:–-]\s+((?:an?|the|eine?n?|die|der|das|una?|el|la|une?|le)\s[^.,;:!?\n]{6,110})/u;

/** What the prompt says something is: “InboxZero, an email client that sorts mail”. */
export function descriptionIn(prompt: string): string | null {
  const found = described.exec(prompt)?.[1];
  const plain = found?.replace(
    /\s+(?:with|mit|con|avec)\s+(?:(?:its|a|the|eine[rm]?|una?|une?)\s+)?(?:pricing|prices?|preise\p{L}*|precios|tarifs|prix|testimonials?|gallery|menu|contact|dark|light|section|tour|team).*$/iu,
    '',
  );
  return plain && plain.split(' ').length >= 2 ? plain.trim() : null;
}
