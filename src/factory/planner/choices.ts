/** A field with its options behind a colon: “meal choice: beef, salmon, vegetarian, and allergies”. */
const choice =
  /(?<!\p{L})((?:\p{L}{2,20} )?(?:choices?|options?|auswahl|wahl|essenswunsch|menüwahl|elección(?: de \p{L}{2,20})?|choix(?: d[ue] \p{L}{2,20})?))\s?:\s+([^.:;!?\n]{3,300})/giu;
const joiner = /^(?:and|und|y|et|or|oder|o|ou)\s+/iu;
/** What is asked besides: it is no option any more. */
const besides =
  /^(?:(?:and|und|y|et)\s+)?(?:(?:any |food )?allerg\p{L}*|dietary \p{L}+|notes?|comments?|songs? (?:wish|request)s?|phone|e-?mail|number of .+|how many .+|whether .+|plus[- ]?ones?|notizen|anmerkungen|unverträglichkeiten|anzahl .+|alergias|notas|comentarios|allergies|remarques)$/iu;

interface Choice {
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

/** Such a field and what is asked behind it, written with brackets as lists of fields are. */
export function choicesIn(prompt: string): Choice[] {
  return [...prompt.matchAll(choice)].map((match) => {
    const items = (match[2] ?? '').split(/,\s*|\s(?:or|oder|o|ou)\s/u).map((item) => item.trim());
    const end = items.findIndex((item) => besides.test(item));
    const options = items.slice(0, end < 0 ? undefined : end).map((item) => item.replace(joiner, ''));
    const further = end < 0 ? [] : items.slice(end).map((item) => item.replace(joiner, ''));
    return {
      text: [`${match[1]} (${options.join(', ')})`, ...further].join(', '),
      at: match.index,
      end: match.index + match[0].length,
    };
  });
}
