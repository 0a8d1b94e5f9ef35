/** A pattern for words and phrases, separated by `|`, whole and in any case. */
export function words(source: string): RegExp {
  return new WordPattern(source);
}

/**
 * Looks for the beginnings of its alternatives before it is made and run. Most patterns fit no part of a prompt, and to read and
 * compile them takes V8 longer than all the rest of a spec.
 */
class WordPattern extends RegExp {
  readonly #source: string;
  #beginnings: readonly string[] | null | undefined;
  #pattern: RegExp | undefined;

  constructor(source: string) {
    super('');
    this.#source = source;
  }

  /** The word bounds of every script; `\b` only knows the letters of English. */
  override get source(): string {
    return `(?<![\\p{L}\\p{N}])(?:${this.#source})(?![\\p{L}\\p{N}])`;
  }

  override exec(text: string): RegExpExecArray | null {
    if (this.#beginnings === undefined) this.#beginnings = beginningsOf(this.#source);
    const lower = lowerCase(text);
    if (this.#beginnings !== null && !this.#beginnings.some((beginning) => lower.includes(beginning)))
      return null;
    this.#pattern ??= new RegExp(this.source, 'iu');
    return this.#pattern.exec(text);
  }
}

let last = { text: '', lower: '' };

/** In lower case; one text is asked about many times in a row. */
function lowerCase(text: string): string {
  if (last.text !== text) last = { text, lower: text.toLowerCase() };
  return last.lower;
}

/** The letters that each alternative begins with; null where one begins with anything else. */
function beginningsOf(source: string): string[] | null {
  const beginnings = alternativesOf(source).map((alternative) => {
    const [plain = ''] = /^[\p{L}\p{N} '’-]*/u.exec(alternative) ?? [];
    // What follows may make the last letter optional.
    const sure = /^[?*{]/.test(alternative.slice(plain.length)) ? plain.slice(0, -1) : plain;
    return sure.toLowerCase();
  });
  return beginnings.every((beginning) => beginning.length > 0) ? beginnings : null;
}

/** Splits at each `|` that stands in no group and no class. */
function alternativesOf(source: string): string[] {
  const alternatives = [''];
  let depth = 0;
  for (const [part] of source.matchAll(/\\.|[^\\]/gsu)) {
    if (part === '(' || part === '[') depth += 1;
    if (part === ')' || part === ']') depth -= 1;
    if (part === '|' && depth === 0) alternatives.push('');
    else alternatives[alternatives.length - 1] += part;
  }
  return alternatives;
}
