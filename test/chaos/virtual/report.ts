import type { Figures } from './simulate.ts';

const percent = (share: number) => `${(100 * share).toFixed(2)} %`;

/** What came out of a simulation, as text. */
export function reportOf(title: string, figures: Figures): string {
  const { counts, seconds, calls, asks, crashes, cuts, saturated, admittedOfLimit, withheld, worst } =
    figures;
  const { requests, admitted, fromLeases, refused, refusedHere, undecided } = counts;
  const of = (part: number, whole: number) => percent(whole === 0 ? 0 : part / whole);
  const rows = [
    ['requests', `${requests}: ${admitted} admitted, ${refused} refused, ${undecided} undecided`],
    ['decided without the authority', of(fromLeases + refusedHere, requests)],
    [
      'calls of the authority',
      `${(calls / seconds).toFixed(0)} a second, ${(calls / requests).toFixed(3)} a request`,
    ],
    ['requests in a call', (asks / Math.max(1, calls)).toFixed(2)],
    ['saturated tenants', String(saturated)],
    ['admitted of their limits', admittedOfLimit === null ? '-' : percent(admittedOfLimit)],
    ['withheld of their limits', withheld === null ? '-' : percent(withheld)],
    [
      'worst 60 seconds',
      `${percent(worst.share)} of a limit (tenant ${worst.tenant}: ${worst.admitted} of ${worst.limit})`,
    ],
    ['crashes, cuts of the network', `${crashes}, ${cuts}`],
  ] as const;
  return `${title}\n${rows.map(([name, value]) => `  ${name.padEnd(30)}${value}`).join('\n')}\n`;
}
