import type { Lang, Section } from '../spec.ts';
import { splitList } from './split.ts';
import { capitalised, inLang, shortened } from './text.ts';

/** “… website: who we are, when we meet (Thursdays 8pm), how to join”: what stands behind the colon are its parts. */
const parts =
  /(?<!\p{L})(?:website|web ?site|home ?page|page|site|\p{L}*seite|\p{L}*website|página(?: web)?|sitio(?: web)?|web|vitrine)(?: [\p{L}’'"“”„«»-]+){0,8}\s?:\s+([^:\n]{10,600})/iu;
/** “Sections: about the choir, concerts, join us”. */
const titled =
  /(?<!\p{L})(?:sections?|pages?|parts?|bereiche|abschnitte|rubriken|unterseiten|secciones|apartados|páginas|rubriques|parties)\s?:\s+([^:\n]{10,600})/iu;
const hint =
  'Write here what people want to know about this.|Schreib hier, was man darüber wissen möchte.|Escribe aquí lo que conviene saber sobre esto.|Écrivez ici ce qu’il faut savoir à ce sujet.';

/** The sections that a prompt lists by their titles; empty where it lists something else, such as prices. */
export function namedSections(prompt: string, lang: Lang, isKnown: (title: string) => boolean): Section[] {
  const list = (titled.exec(prompt) ?? parts.exec(prompt))?.[1]?.replace(/[.!]\s.*$|[.!]$/u, '');
  const items = list ? splitList(list) : [];
  const plain = items.every((item) => item.split(/\s+/u).length <= 12 && !/[€$£@]|\d{3,}/u.test(item));
  if (items.length < 3 || !plain) return [];
  return items
    .filter((item) => !isKnown(item))
    .slice(0, 6)
    .map((item) => {
      const [, title = item, aside = ''] = /^([^()]+?)\s*\(([^()]+)\)$/u.exec(item) ?? [];
      return {
        type: 'text' as const,
        title: capitalised(shortened(title, 60), lang),
        text: aside ? `${capitalised(aside, lang)}.` : inLang(hint, lang),
        items: [],
      };
    });
}
