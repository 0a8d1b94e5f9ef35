/** Maximum length of the beginning that is kept, in characters: enough to estimate by it, and little to have for each stream. */
const maxKept = 64 * 1024;

/** The text of an answer as far as it is needed for an estimate of its tokens: an answer may have any length. */
export class AnswerSample {
  #beginning = '';
  #length = 0;

  add(text: string): void {
    this.#length += text.length;
    if (this.#beginning.length < maxKept) this.#beginning += text.slice(0, maxKept - this.#beginning.length);
  }

  /** The first of it, up to 64 Ki characters. */
  get beginning(): string {
    return this.#beginning;
  }

  /** Of the whole answer, in characters. */
  get length(): number {
    return this.#length;
  }
}
