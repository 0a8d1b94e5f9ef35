import type { Figures } from '../../observe/joint-metrics.ts';

/** How long a process may take to give its figures, in milliseconds: a hanging process does not delay the answer further. */
const patienceMs = 2_000;

/** What figures are asked of. */
export interface Asked {
  readonly number: number;
  ask(id: number): void;
}

interface Scrape {
  readonly answers: Map<number, Figures>;
  readonly wanted: number;
  readonly done: () => void;
}

/**
 * Collects the figures of all processes. What a process has counted goes on being counted when it has ended, as far as it was
 * collected, since a sum that fell would look like a server that has begun again.
 */
export class Scrapes {
  readonly #running = new Map<number, Scrape>();
  readonly #latest = new Map<number, Figures>();
  #ended: Promise<Figures> = Promise.resolve([]);
  #count = 0;

  async of(processes: readonly Asked[]): Promise<readonly Figures[]> {
    this.#count += 1;
    const id = this.#count;
    const answers = new Map<number, Figures>();
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, patienceMs);
      const done = () => {
        clearTimeout(late);
        resolve();
      };
      this.#running.set(id, { answers, wanted: processes.length, done });
      for (const one of processes) one.ask(id);
    });
    this.#running.delete(id);
    const ended = await this.#ended;
    return [ended, ...[...this.#latest].map(([number, latest]) => answers.get(number) ?? countsOf(latest))];
  }

  answered(number: number, id: number, figures: Figures): void {
    this.#latest.set(number, figures);
    const scrape = this.#running.get(id);
    if (!scrape) return;
    scrape.answers.set(number, figures);
    if (scrape.answers.size === scrape.wanted) scrape.done();
  }

  /** Keeps what a process has counted that is there no more. */
  ended(number: number): void {
    const latest = this.#latest.get(number);
    if (!latest) return;
    this.#latest.delete(number);
    this.#ended = this.#ended.then(async (before) => {
      const { joined } = await import('../../observe/joint-metrics.ts');
      return joined([before, countsOf(latest)]);
    });
  }
}

/** What only grows, and is added up over all processes. */
function countsOf(figures: Figures): Figures {
  return figures.filter(({ type, name }) => type !== 'gauge' && name.startsWith('switchyard_'));
}
