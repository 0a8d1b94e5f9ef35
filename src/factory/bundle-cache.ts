/** Bundles that are kept, and how long all of them may be together, in characters. */
const maxChars = 8 * 1024 * 1024;

interface Kept {
  readonly entry: string;
  /** Everything that went into it, by path. */
  readonly inputs: ReadonlyMap<string, string>;
  readonly text: string;
}

/**
 * Bundles of the last builds. The program of an app is the same in every build of its kind, variant and language: what
 * differs stands in the page. A bundle is taken again only where each file that went into it is the same, letter by
 * letter, so nothing else can decide what it is.
 */
export class BundleCache {
  #kept: Kept[] = [];
  #chars = 0;

  /** The bundle of an entry of these files, if it has been made before. */
  find(entry: string, files: ReadonlyMap<string, string>): string | null {
    const at = this.#kept.findIndex(
      (kept) => kept.entry === entry && [...kept.inputs].every(([path, text]) => files.get(path) === text),
    );
    const [found] = at < 0 ? [] : this.#kept.splice(at, 1);
    if (!found) return null;
    this.#kept.push(found);
    return found.text;
  }

  keep(entry: string, inputs: ReadonlyMap<string, string>, text: string): void {
    const kept = { entry, inputs, text };
    this.#kept.push(kept);
    this.#chars += sizeOf(kept);
    while (this.#chars > maxChars) {
      const [oldest] = this.#kept.splice(0, 1);
      this.#chars -= oldest ? sizeOf(oldest) : 0;
    }
  }
}

const sizeOf = ({ inputs, text }: Kept): number =>
  [...inputs.values()].reduce((sum, input) => sum + input.length, text.length);
