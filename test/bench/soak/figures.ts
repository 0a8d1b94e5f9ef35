/** What a server holds at one moment. Memory in MB (10^6 bytes). */
export interface Figures {
  /** Seconds since the start. */
  readonly at: number;
  /** Whether garbage was collected before. */
  readonly collected: boolean;
  readonly requests: number;
  readonly rss: number;
  readonly heap: number;
  /** Outside V8's heap, buffers included. */
  readonly external: number;
  readonly threads: number;
  readonly descriptors: number;
}

/** How much more there may be at the end than at the start, both after collection and in calm. */
export const bounds = { rss: 80, heap: 20, external: 20, threads: 8, descriptors: 16 } as const;

/** What has grown beyond its bound; empty: nothing. */
export function grown(start: Figures, end: Figures): string[] {
  return (Object.keys(bounds) as (keyof typeof bounds)[])
    .filter((field) => end[field] > start[field] + bounds[field])
    .map(
      (field) =>
        `${field}: ${start[field]} at the start, ${end[field]} at the end, at most ${bounds[field]} more allowed`,
    );
}

const columns = ['at', 'requests', 'rss', 'heap', 'external', 'threads', 'descriptors'] as const;

export const heading = `${columns.map((name) => name.padStart(12)).join('')}`;

export function rowOf(figures: Figures): string {
  const cells = columns.map((name) => String(figures[name]).padStart(12)).join('');
  return `${cells}${figures.collected ? '  collected' : ''}`;
}
