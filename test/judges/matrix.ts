import type { Result } from './drive.ts';
import { versionOf } from './install.ts';
import type { Judge } from './judges.ts';
import type { TargetName } from './targets.ts';

/** A case on all targets. */
type CaseResults = ReadonlyMap<TargetName, Result>;

/** Failures that count: on a lane, where the control passes, was not run, or does not matter. */
export function defects(results: readonly Result[]): Result[] {
  return byCase(results).flatMap((row) => [...row.values()].filter((result) => counts(result, row)));
}

/**
 * Two Markdown tables, client × target and client × case × target, and a line for each failure. `✓` passed (refused: for a good
 * reason), `✗` failed where the control passes, `(✗)` failed as the control does, `–` not asked.
 */
export function matrix(
  judges: readonly Judge[],
  targets: readonly TargetName[],
  results: readonly Result[],
): string {
  const of = (judge: Judge) => results.filter((result) => result.judge === judge.name);
  const short = judges.map((judge) => [titled(judge), ...targets.map((target) => cell(of(judge), target))]);
  const long = judges.flatMap((judge) =>
    Object.entries(Object.groupBy(of(judge), (result) => result.group ?? result.case)).map(
      ([name, group = []]) => [judge.title, name, ...targets.map((target) => cell(group, target))],
    ),
  );
  return [
    table(['Client', ...targets], short),
    table(['Client', 'Case', ...targets], long),
    failures(results).join('\n'),
  ].join('\n\n');
}

function cell(results: readonly Result[], target: TargetName): string {
  const here = byCase(results).flatMap((row) => {
    const result = row.get(target);
    return result ? [{ result, counts: counts(result, row) }] : [];
  });
  if (here.length === 0) return '–';
  const passed = here.filter(({ result }) => result.ok).length;
  const refused = here.filter(({ result }) => isRefusal(result)).length;
  const said = [
    ...(here.length === 1 ? [] : [passed === here.length ? String(passed) : `${passed} of ${here.length}`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ].join(', ');
  const mark = passed === here.length ? '✓' : here.some(({ counts }) => counts) ? '✗' : '(✗)';
  return said === '' ? mark : `${mark} ${said}`;
}

/** Whether a request was refused for a field that the table of fields says cannot be translated, which is right. */
function isRefusal({ ok, detail }: Result): boolean {
  return ok && (detail?.startsWith('refused: ') ?? false);
}

/** A failure of the control is one of the mock, or of the client itself, unless the case is about what only the server has. */
function counts(result: Result, row: CaseResults): boolean {
  if (result.ok || result.target === 'control') return false;
  return result.must || row.get('control')?.ok !== false;
}

/** A line for all cases of a group that failed on the same targets for the same reason. */
export function failures(results: readonly Result[]): string[] {
  const lines = new Map<string, string[]>();
  for (const row of byCase(results)) {
    const failed = [...row.values()].filter(({ ok }) => !ok);
    const byDetail = Object.groupBy(failed, ({ detail }) => detail ?? 'failed');
    for (const [detail, same = []] of Object.entries(byDetail)) {
      const { judge = '', group = null, case: name = '' } = same[0] ?? {};
      const at = same.map(({ target }) => target).join(', ');
      const key = `${judge}, ${group ?? name} (${at}): \`${detail.replaceAll('`', "'")}\``;
      lines.set(key, [...(lines.get(key) ?? []), group === null ? '' : name]);
    }
  }
  return [...lines].map(([line, [first, ...more]]) => {
    const cases = first ? ` [${first}${more.length > 0 ? ` and ${more.length} more` : ''}]` : '';
    return `- ${line}${cases}`;
  });
}

function byCase(results: readonly Result[]): CaseResults[] {
  const rows = Object.groupBy(results, ({ judge, group, case: name }) => `${judge}\n${group ?? ''}\n${name}`);
  return Object.values(rows).map((row = []) => new Map(row.map((result) => [result.target, result])));
}

/** What a judge is called, with the versions of its packages. */
export function titled({ title, packages, install }: Judge): string {
  return `${title} ${packages.map((name) => versionOf(name, install)).join(', ')}`.trim();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
