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

/** The form of vendors' keys: a short prefix and a long random part, or any text after `Bearer`. */
const keyLike =
  /\b(?:(?:sk|pk|rk|gsk|xai|sw|key|r8|hf)[-_][\w*.-]{8,}|AIza[\w*-]{10,}|Bearer\s+[^\s"',]{8,})/g;

/**
 * The text without the given secret and without anything that looks like an API key, masked ones included.
 * Redact before cutting a text short: half a secret is not found any more.
 */
export function redact(text: string, secret: string | null): string {
  const known = secret ? text.replaceAll(secret, '[redacted]') : text;
  return known.replace(keyLike, '[redacted]');
}
