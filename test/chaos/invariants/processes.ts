import type { Evidence, Holding } from '../evidence.ts';

/** What a process may hold in calm beyond what it held after its first round. */
export const slack = {
  /** MB (10^6 bytes): V8 keeps what it once had, up to its limits, and threads of builds stay for a while. */
  rss: 350,
  threads: 24,
  descriptors: 48,
} as const;

/** No process ends by itself. */
export function processesLive({ lives }: Pick<Evidence, 'lives'>): string[] {
  return lives
    .filter(({ end }) => end === 'itself')
    .map(({ server, lastWords }) => `server ${server} ended by itself: ${lastWords}`);
}

/** Memory, threads and descriptors are back to about where they were, and no client's connection is left. */
export function nothingHeld(baseline: Holding, now: Holding): string[] {
  const problems: string[] = [];
  for (const field of ['rss', 'threads', 'descriptors'] as const) {
    if (now[field] > baseline[field] + slack[field]) {
      problems.push(`server ${now.server}: ${field} ${now[field]} in calm, ${baseline[field]} at first`);
    }
  }
  if (now.inbound > 0) {
    problems.push(`server ${now.server}: ${now.inbound} connections of clients that have gone`);
  }
  return problems;
}
