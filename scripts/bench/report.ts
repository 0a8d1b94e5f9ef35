/** The result of a run as text for people. */

import type { Metric } from './load.ts';
import type { BenchResult, Ratio, ScenarioSummary, TargetSummary } from './summary.ts';

/** In the order of the columns. */
const METRICS: readonly { metric: Metric; title: string; digits: number }[] = [
  { metric: 'rate', title: 'answers/s', digits: 0 },
  { metric: 'p50', title: 'p50 ms', digits: 2 },
  { metric: 'p99', title: 'p99 ms', digits: 2 },
  { metric: 'firstByteP50', title: 'first byte p50', digits: 2 },
  { metric: 'firstByteP99', title: 'p99', digits: 2 },
  { metric: 'firstDeltaP50', title: 'first delta p50', digits: 2 },
  { metric: 'firstDeltaP99', title: 'p99', digits: 2 },
  { metric: 'cpuPerAnswer', title: 'CPU ms/answer', digits: 3 },
  { metric: 'cpuShare', title: 'CPU %', digits: 0 },
];

/** What is worth quoting as a ratio. */
const COMPARED: readonly { metric: Metric; title: string }[] = [
  { metric: 'rate', title: 'answers per second' },
  { metric: 'p50', title: 'latency p50' },
  { metric: 'p99', title: 'latency p99' },
  { metric: 'firstDeltaP50', title: 'first delta p50' },
  { metric: 'cpuPerAnswer', title: 'CPU per answer' },
];

const grouped = (value: number, digits: number) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Columns as wide as their widest cell; the first `labels` columns to the left, figures right. */
function table(rows: readonly (readonly string[])[], labels = 1): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column < labels ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('   ');
  return rows.map((row) => `  ${line(row)}`).join('\n');
}

function scenarioText({ title, connections, targets }: ScenarioSummary): string {
  const columns = METRICS.filter(({ metric }) => targets.some((each) => metric in each.medians));
  const header = ['', ...columns.map((column) => column.title), 'answered', 'failed'];
  const row = ({ target, medians, answered, failed }: TargetSummary) => [
    target,
    ...columns.map(({ metric, digits }) => {
      const value = medians[metric];
      return value === undefined ? '–' : grouped(value, digits);
    }),
    grouped(answered, 0),
    grouped(failed, 0),
  ];
  return `${title}, ${connections} connections\n${table([header, ...targets.map(row)])}`;
}

function ratiosText(scenarios: readonly ScenarioSummary[]): string {
  const cells = ({ ofMedians, lowest, highest }: Ratio) => [
    `${ofMedians.toFixed(2)} × floor`,
    `${lowest.toFixed(2)}–${highest.toFixed(2)}`,
  ];
  const rows = scenarios.flatMap(({ scenario, targets }) =>
    targets.flatMap(({ target, ratios }) =>
      COMPARED.flatMap(({ metric, title }) => {
        const ratio = ratios?.[metric];
        return ratio ? [[scenario, target, title, ...cells(ratio)]] : [];
      }),
    ),
  );
  return [
    `Ratios: of the medians, and from the lowest to the highest round\n${table(rows, 3)}`,
    'A target far below 100 % CPU waited for the vendor or for a busy machine: its rate then flatters it,',
    'and CPU per answer is the ratio to quote.',
  ].join('\n');
}

function footprintText({ memory, coldStart }: BenchResult): string {
  const rows = Object.entries(memory).map(([name, { rss, peak }]) => [
    name,
    `${rss.toFixed(0)} MB`,
    peak === undefined ? '' : `peak ${peak.toFixed(0)} MB`,
  ]);
  const [fastest, slowest] = [Math.min(...coldStart.starts), Math.max(...coldStart.starts)];
  return [
    `Resident memory after chat\n${table(rows)}`,
    `Cold start of Switchyard, from spawn to its first answer\n  ${coldStart.median.toFixed(0)} ms` +
      ` (median of ${coldStart.starts.length}: ${fastest.toFixed(0)}–${slowest.toFixed(0)})`,
  ].join('\n\n');
}

function failuresText(scenarios: readonly ScenarioSummary[]): string {
  return scenarios
    .flatMap(({ scenario, targets }) =>
      targets
        .filter((each) => each.failed > 0)
        .map((each) => `FAILED  ${scenario}  ${each.target}: ${each.failed} × ${each.firstFault}`),
    )
    .join('\n');
}

export function reportText(result: BenchResult): string {
  const { date, node, cpu, cores, loadAverage, rounds, secondsPerRound, scenarios } = result;
  return [
    `Switchyard bench, ${date}\n` +
      `Node.js ${node}, ${cores} cores (${cpu}), load average before ${loadAverage.toFixed(2)}\n` +
      `Medians of ${rounds} interleaved rounds of ${secondsPerRound} s`,
    ...scenarios.map(scenarioText),
    scenarios.some(({ targets }) => targets.length > 1) && ratiosText(scenarios),
    footprintText(result),
    failuresText(scenarios),
  ]
    .filter(Boolean)
    .join('\n\n');
}
