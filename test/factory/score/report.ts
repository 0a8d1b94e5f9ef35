import type { Reading } from './prompt-set.ts';
import { type PromptEntry, promptLangOf } from './prompt-set.ts';
import { type Score, score } from './score.ts';
import type { ScoredSpec } from './spec-view.ts';

/** A prompt with what came of it. */
export interface Row {
  readonly entry: PromptEntry;
  readonly reading: Reading;
  readonly score: Score;
}

/** What came of a prompt, with its score. */
export function scoredRow(entry: PromptEntry, read: Reading & { readonly spec: ScoredSpec }): Row {
  const { spec, ...reading } = read;
  return { entry, reading, score: score(spec, reading, entry) };
}

/**
 * The shares by language and by kind, as a table of text. `but for words` is the share that is honest or drops words
 * alone, and no fact, name or wish.
 */
export function summary(rows: readonly Row[]): string {
  const lines = [
    ['', 'prompts', 'right', 'usable', 'asked', 'wrong', 'honest', 'but for words', 'kind'],
    line('all', rows),
    line(
      'served',
      rows.filter(({ entry }) => !entry.expect.unserved),
    ),
    line(
      'unserved',
      rows.filter(({ entry }) => entry.expect.unserved),
    ),
    [],
    ...groups(rows, ({ entry }) => promptLangOf(entry)),
    [],
    ...groups(rows, ({ entry }) => (entry.expect.unserved ? 'no kind' : (entry.expect.kind[0] ?? ''))),
  ];
  return table(lines);
}

function groups(rows: readonly Row[], keyOf: (row: Row) => string): string[][] {
  const keys = [...new Set(rows.map(keyOf))].toSorted();
  return keys.map((key) =>
    line(
      key,
      rows.filter((row) => keyOf(row) === key),
    ),
  );
}

function line(name: string, rows: readonly Row[]): string[] {
  const share = (holds: (row: Row) => boolean) =>
    rows.length === 0 ? '-' : `${((100 * rows.filter(holds).length) / rows.length).toFixed(0)} %`;
  const ofVerdict = (verdict: string) => share(({ score }) => score.verdict === verdict);
  const kindHeld = ({ score }: Row) =>
    !score.reasons.some(({ check }) => check === 'kind' || check === 'unserved');
  return [
    name,
    String(rows.length),
    ofVerdict('right'),
    ofVerdict('usable'),
    ofVerdict('asked'),
    ofVerdict('wrong'),
    share(({ score }) => score.honest),
    // What people tell around their wish is a word too; facts, names and wishes weigh more.
    share(({ score }) => score.dishonest.every(({ check }) => check === 'dropped word')),
    share(kindHeld),
  ];
}

/**
 * What people get, by number of prompts: with the question first, and where they do not want to be asked. What is built without
 * a question is something else for whatever was asked about in vain, and says so.
 */
export function outcomeTable(rows: readonly Row[]): string {
  const count = (holds: (row: Row) => boolean) => {
    const found = rows.filter(holds).length;
    return [String(found), rows.length === 0 ? '-' : `${((100 * found) / rows.length).toFixed(1)} %`];
  };
  const kindIs = ({ entry, reading }: Row) =>
    entry.expect.kind.some((kind) => reading.choices?.includes(kind) === true);
  return table([
    ['as asked', ...count(({ score }) => score.outcome === 'as asked')],
    ['a question first', ...count(({ score }) => score.outcome === 'question')],
    [
      '  … though a kind serves it',
      ...count((row) => row.score.outcome === 'question' && !row.entry.expect.unserved),
    ],
    ['  … and is among the choices', ...count((row) => row.score.outcome === 'question' && kindIs(row))],
    ['something else', ...count(({ score }) => score.outcome === 'something else')],
    ['  … without a word', ...count(({ score }) => score.isSilent)],
  ]);
}

/** How many prompts each check fails in, most first, as a table of text. */
export function reasonTable(rows: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const { score } of rows) {
    const checks = [
      ...score.reasons.map(({ check }) => check),
      ...score.dishonest.map(({ check }) => `dishonest: ${check}`),
      ...score.overlisted.map(() => 'listed, though taken up'),
    ];
    for (const check of new Set(checks)) counts.set(check, (counts.get(check) ?? 0) + 1);
  }
  const lines = [...counts].toSorted(([, one], [, other]) => other - one);
  return lines.length === 0 ? 'none' : table(lines.map(([check, count]) => [check, String(count)]));
}

/** The prompts with one of the verdicts, or that are `dishonest`, or `all`, with the reasons. */
export function shownPrompts(rows: readonly Row[], shown: readonly string[]): string {
  return rows
    .filter(
      ({ score }) =>
        shown.includes('all') ||
        shown.includes(score.verdict) ||
        (shown.includes('dishonest') && !score.honest),
    )
    .map(({ entry, score, reading }) =>
      [
        `${entry.id} ${score.verdict}${score.honest ? '' : ', dishonest'}: ${entry.prompt}`,
        ...score.reasons.map(({ check, detail }) => `  ${check}: ${detail}`),
        ...score.dishonest.map(({ check, detail }) => `  dishonest, ${check}: ${detail}`),
        `  listed: ${[reading.unserved, ...reading.notTakenUp].filter((text) => text !== null).join(', ') || 'nothing'}`,
      ].join('\n'),
    )
    .join('\n\n');
}

/** Lines of cells as text, its columns one below the other. */
export function table(lines: readonly (readonly string[])[]): string {
  const columns = Math.max(...lines.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...lines.map((cells) => cells[at]?.length ?? 0)),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
