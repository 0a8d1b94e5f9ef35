import { fieldError } from '../../../../contract/errors.ts';
import type { Body } from '../../wire.ts';

/** A field that is wrong. */
export const wrong = fieldError;

/** Names in the other spelling, which Google's servers take as well. */
const snakeNames = new Map<string, string>();

/** A name as in the other spelling. */
export function snake(name: string): string {
  const known = snakeNames.get(name);
  if (known !== undefined) return known;
  const made = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeNames.set(name, made);
  return made;
}

/**
 * An object of a request, whose fields may be written in camelCase or in snake_case. A field that is null is one that was
 * left out. Every method throws `invalid_request`, which names the path, for a field of another type than it reads.
 */
export class Fields {
  readonly #object: Body;
  readonly path: string;

  /** @param path of the object; empty for the body */
  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw wrong(path || 'The body', 'type', 'must be an object');
    this.#object = value as Body;
    this.path = path;
  }

  /** The field as it stands there; undefined where it is left out. Given in both spellings it is refused: a vendor may read either. */
  value(name: string): unknown {
    const other = snake(name);
    const value = this.#object[name] ?? undefined;
    if (other === name || this.#object[other] == null) return value;
    if (value === undefined) return this.#object[other];
    throw wrong(this.at(name), 'duplicate', `must not be given as ${other} as well`);
  }

  at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') return value;
    throw wrong(this.at(name), 'type', 'must be a text');
  }

  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw wrong(this.at(name), 'type', 'must be true or false');
  }

  /** A number of `least` to `most`. Whole numbers may come as text, as JSON has them for 64 bits. */
  number(name: string, least: number, most: number): number | undefined {
    const given = this.value(name);
    const value = typeof given === 'string' && /^-?\d{1,15}$/.test(given) ? Number(given) : given;
    if (value === undefined) return undefined;
    if (typeof value !== 'number') throw wrong(this.at(name), 'type', 'must be a number');
    if (value < least || value > most) throw wrong(this.at(name), 'range', `must be ${least} to ${most}`);
    return value;
  }

  whole(name: string, least: number, most: number): number | undefined {
    const value = this.number(name, least, most);
    if (value === undefined || Number.isInteger(value)) return value;
    throw wrong(this.at(name), 'type', 'must be a whole number');
  }

  /** Undefined for an empty list too. */
  texts(name: string): readonly string[] | undefined {
    const value = this.value(name) ?? [];
    if (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
      return value.length > 0 ? value : undefined;
    throw wrong(this.at(name), 'type', 'must be a list of texts');
  }

  object(name: string): Fields | undefined {
    const value = this.value(name);
    return value === undefined ? undefined : new Fields(value, this.at(name));
  }

  /** The objects of a list. One that stands alone is taken for a list of one, as Google's servers do. */
  list(name: string): readonly Fields[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) return [new Fields(value, this.at(name))];
    return value.map((entry: unknown, index) => new Fields(entry, `${this.at(name)}[${index}]`));
  }

  /** The object as it is. */
  get raw(): Body {
    return this.#object;
  }
}
