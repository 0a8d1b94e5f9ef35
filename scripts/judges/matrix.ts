import type { Result } from './drive.ts';
import { versionOf } from './install.ts';
import type { Judge } from './judges.ts';
import type { TargetName } from './targets.ts';

/** A case in all targets. */
interface Row {
  readonly judge: Judge;
  readonly case: string;
  readonly results: ReadonlyMap<TargetName, Result>;
}

/** Failures that count: on a lane, where the control passes or was not run. */
export function defects(judges: readonly Judge[], results: readonly Result[]): Result[] {
  return rows(judges, results).flatMap(({ results: row }) =>
    [...row.values()].filter(
      (result) => !result.ok && result.target !== 'control' && row.get('control')?.ok !== false,
    ),
  );
}

/** Client × case × target as a Markdown table, with the versions, and below it a line for each failure. */
export function matrix(
  judges: readonly Judge[],
  targets: readonly TargetName[],
  results: readonly Result[],
): string {
  const lines = [
    `| Client | Case | ${targets.join(' | ')} |`,
    `|---|---|${targets.map(() => '---|').join('')}`,
  ];
  const notes: string[] = [];
  for (const row of rows(judges, results)) {
    const cells = targets.map((target) => {
      const result = row.results.get(target);
      if (!result) return '–';
      if (result.ok) return `✓${result.detail ? ` ${cell(result.detail)}` : ''}`;
      notes.push(`${row.judge.name}, ${row.case}, ${target}: ${result.detail ?? 'failed'}`);
      return row.results.get('control')?.ok === false ? '(✗)' : '✗';
    });
    lines.push(`| ${cell(titled(row.judge))} | ${cell(row.case)} | ${cells.join(' | ')} |`);
  }
  return [...lines, '', ...notes.map((note) => `- ${note}`)].join('\n');
}

function titled(judge: Judge): string {
  return `${judge.title} ${judge.packages.map(versionOf).join(', ')}`.trim();
}

function rows(judges: readonly Judge[], results: readonly Result[]): Row[] {
  return judges.flatMap((judge) => {
    const own = results.filter((result) => result.judge === judge.name);
    const names = [...new Set(own.map((result) => result.case))];
    return names.map((name) => ({
      judge,
      case: name,
      results: new Map(own.filter((result) => result.case === name).map((result) => [result.target, result])),
    }));
  });
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
