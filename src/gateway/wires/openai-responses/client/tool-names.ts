import { createHash } from 'node:crypto';

/** A tool as clients of this wire name it: on its own or in a namespace. */
export interface ToolName {
  readonly name: string;
  readonly namespace?: string;
}

/** Maximum length of a function's name on every wire. */
const maxLength = 64;

/**
 * The tools of one request, each with one name that differs from all others: other wires know no namespaces. A name depends
 * on nothing but the request's tools, so that the next request, which begins alike, has the same ones for the vendor's cache.
 */
export class ToolNames {
  readonly #joined = new Map<string, string>();
  readonly #originals = new Map<string, ToolName>();

  /** The one name of a tool. Tools without a namespace have to come first: they keep theirs. */
  joined(tool: ToolName): string {
    const { name, namespace } = tool;
    if (namespace === undefined) {
      // What the conversation names without its namespace is still the tool that the client has declared.
      if (!this.#originals.has(name)) this.#originals.set(name, tool);
      return name;
    }
    const key = `${namespace}\n${name}`;
    const known = this.#joined.get(key);
    if (known !== undefined) return known;
    const simple = `${namespace}__${name}`;
    const fits = simple.length <= maxLength && !this.#originals.has(simple);
    const digest = () => createHash('sha256').update(key).digest('hex').slice(0, 12);
    const joined = fits ? simple : `${simple.slice(0, maxLength - 13)}_${digest()}`;
    this.#joined.set(key, joined);
    this.#originals.set(joined, tool);
    return joined;
  }

  /** The tool behind a name that a model has called; one that it made up is named as it is. */
  original(joined: string): ToolName {
    return this.#originals.get(joined) ?? { name: joined };
  }
}
