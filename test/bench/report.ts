/** The result of a run as text for people. How to read it: docs/reference/performance.md. */

import { BOUNDS_MS, type Highest } from './highest.ts';
import { type PairSummary, type Ratio, spread } from './summary.ts';

export interface Machine {
  readonly date: string;
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  /** Of the minute before the run: what else the machine was doing. */
  readonly loadAverage: number;
}

export interface BenchResult extends Machine {
  readonly pairs: readonly PairSummary[];
  /** Empty unless they were asked for; then there are no pairs. */
  readonly highest: readonly Highest[];
}

const number = (value: number, digits = 2) =>
  Number.isFinite(value)
    ? value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : '–';

/** The median, and the middle half of the rounds. */
const ratio = (one: Ratio) => `${number(one.median)} (${number(one.from)} to ${number(one.to)})`;

/** Columns as wide as their widest cell; the first to the left, figures right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => `  ${row.map(cell).join('   ')}`.trimEnd()).join('\n');
}

function scenarioText(pairs: readonly PairSummary[]): string {
  const [first] = pairs;
  if (!first) return '';
  const stores = pairs.some(({ medians }) => medians.storeCpu > 0);
  const idle = pairs.some(({ memory }) => Number.isFinite(memory.idle));
  const header = [
    `beside ${first.base}`,
    'CPU/answer, ×',
    ...(stores ? ['with stores, ×'] : []),
    'answers/s, ×',
    'CPU/answer at first, ×',
    'CPU ms',
    ...(stores ? ['stores ms'] : []),
    'answers/s',
    'p50 ms',
    'p99 ms',
    `MB start/after/peak${idle ? '/idle' : ''}`,
    'rounds',
    'failed',
  ];
  const rows = pairs.map((pair) => [
    pair.party,
    ratio(pair.cpu),
    ...(stores ? [ratio(pair.allCpu)] : []),
    ratio(pair.rate),
    number(pair.firstCpu.median),
    number(pair.medians.cpu, 3),
    ...(stores ? [number(pair.medians.storeCpu, 3)] : []),
    number(pair.medians.rate, 0),
    number(pair.medians.p50),
    number(pair.medians.p99),
    (['start', 'after', 'peak', ...(idle ? (['idle'] as const) : [])] as const)
      .map((when) => number(pair.memory[when], 0))
      .join('/'),
    String(pair.rounds),
    pair.fault === undefined ? number(pair.failed, 0) : 'FAILED',
  ]);
  const faults = pairs.flatMap(({ party, fault }) => (fault === undefined ? [] : [`  ${party}: ${fault}`]));
  return [`${first.title}\n${table([header, ...rows])}`, ...faults, crowdsText(pairs), pacedText(pairs)]
    .filter(Boolean)
    .join('\n');
}

function crowdsText(pairs: readonly PairSummary[]): string {
  const rows = pairs.flatMap(({ party, crowds, baseCrowds }) =>
    crowds.map((crowd, at) => [
      `${party}, ${crowd.connections} connection${crowd.connections === 1 ? '' : 's'}`,
      number(crowd.p50),
      number(baseCrowds[at]?.p50 ?? Number.NaN),
      number(crowd.p99),
      number(baseCrowds[at]?.p99 ?? Number.NaN),
      number(crowd.rate, 0),
      number(baseCrowds[at]?.rate ?? Number.NaN, 0),
      number(crowd.lowestRate, 0),
    ]),
  );
  const header = ['latency', 'p50 ms', "base's", 'p99 ms', "base's", 'answers/s', "base's", 'slowest second'];
  return rows.length === 0 ? '' : table([header, ...rows]);
}

function pacedText(pairs: readonly PairSummary[]): string {
  const there = pairs.filter(({ paced, basePaced }) => paced && basePaced);
  if (there.length === 0) return '';
  const header = [
    'at a fixed rate (open loop)',
    'first byte p50 ms',
    'over the base',
    'p99',
    'whole p50',
    'p99',
  ];
  const rows = there.map(({ party, paced, basePaced }) => [
    party,
    number(paced?.firstByteP50 ?? Number.NaN),
    number((paced?.firstByteP50 ?? Number.NaN) - (basePaced?.firstByteP50 ?? Number.NaN)),
    number(paced?.firstByteP99 ?? Number.NaN),
    number(paced?.p50 ?? Number.NaN),
    number(paced?.p99 ?? Number.NaN),
  ]);
  return table([header, ...rows]);
}

function startsText(pairs: readonly PairSummary[]): string {
  const byParty = new Map(pairs.map((pair) => [pair.party, pair]));
  const rows = [...byParty.values()]
    .filter(({ medians }) => Number.isFinite(medians.coldStart))
    .map(({ party, medians, all }) => {
      const starts = all.map((pair) => pair.party.coldStart);
      return [
        party,
        `${number(medians.coldStart, 0)} ms`,
        `${number(Math.min(...starts), 0)} to ${number(Math.max(...starts), 0)}`,
      ];
    });
  return rows.length === 0 ? '' : `From start to first answer\n${table(rows)}`;
}

function highestText(highest: readonly Highest[]): string {
  const header = ['answers a second, at p99 over the vendor of', ...BOUNDS_MS.map((bound) => `${bound} ms`)];
  const titles = [...new Set(highest.map(({ scenario }) => scenario))];
  const of = (title: string) =>
    highest
      .filter(({ scenario }) => scenario === title)
      .map(({ party, rates }) => [party, ...rates.map((rate) => (rate === 0 ? '–' : number(rate, 0)))]);
  return titles.map((title) => `${title}\n${table([header, ...of(title)])}`).join('\n\n');
}

export function reportText({ date, node, cpu, cores, loadAverage, pairs, highest }: BenchResult): string {
  const machine = `Switchyard bench, ${date}\nNode.js ${node}, ${cores} cores (${cpu}), load average before ${number(loadAverage)}`;
  if (highest.length > 0) return `${machine}\n\n${highestText(highest)}`;
  const scenarios = [...new Set(pairs.map(({ scenario }) => scenario))];
  const widest = Math.max(...pairs.map((pair) => spread(pair.cpu)).filter(Number.isFinite));
  return [
    machine,
    'Ratios are medians of rounds, each with both parties restarted; in parentheses the middle half of the rounds.',
    ...scenarios.map((name) => scenarioText(pairs.filter(({ scenario }) => scenario === name))),
    startsText(pairs),
    `The middle half of the CPU ratios of a pair is up to ${number(widest * 100, 0)} % of its median wide.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}
