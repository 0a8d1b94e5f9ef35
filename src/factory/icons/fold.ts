/** A text as it is compared: small letters without accents, one kind of apostrophe. */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('’', "'");
