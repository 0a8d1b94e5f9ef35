import { inspect } from 'node:util';

const hidden = '[secret]';

/** A text that must not be shown. Printing, inspecting, joining or serialising it gives `[secret]`. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself. Call it as late as possible and keep the result nowhere. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}
