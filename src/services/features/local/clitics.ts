/** Small words that are written in one with a word by an apostrophe: "l'eau", "dell'acqua", "the company's". */

interface Clitics {
  readonly before?: RegExp;
  readonly after?: RegExp;
}

const none: Clitics = {};

const clitics: Readonly<Record<string, Clitics>> = {
  ca: { before: /^[dlmnst]['’](?=\p{L})/iu },
  en: { after: /['’](?:s|ll|ve|re|d|m)$/iu },
  fr: { before: /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|quelqu)['’](?=\p{L})/iu },
  it: {
    before:
      /^(?:[cdlmnstv]|un|all|dall|dell|nell|sull|coll|quell|quest|bell|sant|tutt|anch|com|dov)['’](?=\p{L})/iu,
  },
};

export function cliticsOf(language: string | null): Clitics {
  return clitics[language ?? 'en'] ?? none;
}
