import { describe, expect, it } from 'vitest';
import { byService, type ChangedPrompt, shareRight } from '../../../factory/score/changes/change-report.ts';
import { changed, maxChanges, ways } from '../../../factory/score/changes/changes.ts';
import { promptSet } from '../../../factory/score/prompt-set.ts';
import { read } from '../../../factory/score/reader.ts';
import { type Row, scoredRow } from '../../../factory/score/report.ts';
import { readMarkdown } from '../../../helpers/guides.ts';

const scored = (set: 'development' | 'heldout' | 'regression') =>
  promptSet(set).map((entry) => scoredRow(entry, read(entry.prompt)));
const percent = (rows: readonly Row[], holds: (row: Row) => boolean) =>
  `${((100 * rows.filter(holds).length) / rows.length).toFixed(0)} %`;
const right = ({ score }: Row) => score.verdict === 'right';

/** The figures that the documents quote are those that the scorer finds in the reader as it is. */
describe('the figures of the build factory', () => {
  const guide = readMarkdown('docs/factory.md');
  const heldout = scored('heldout');
  const lineOf = (name: string, rows: readonly Row[]) => {
    const verdicts = (['right', 'usable', 'wrong'] as const).map((verdict) =>
      percent(rows, ({ score }) => score.verdict === verdict),
    );
    return `| ${[name, rows.length, ...verdicts, percent(rows, ({ score }) => score.honest)].join(' | ')} |`;
  };

  it.each([
    ['held out', heldout],
    ['… that a kind serves', heldout.filter(({ entry }) => !entry.expect.unserved)],
    ['… that no kind serves', heldout.filter(({ entry }) => entry.expect.unserved)],
    ['development', scored('development')],
    ['regression', scored('regression')],
  ])('stand in the guide: %s', (name, rows) => {
    expect(guide).toContain(lineOf(name, rows));
  });

  it.each(ways)('stand in the guide after changes: by %s', async (way) => {
    const prompts: ChangedPrompt[] = [];
    for (const { entry } of heldout)
      prompts.push({ entry, changed: await changed(entry, read(entry.prompt), way) });
    const [[, all], [, served]] = byService(prompts);
    for (const [name, some] of [
      [`by ${way}`, all],
      [`by ${way}, where a kind serves`, served],
    ] as const) {
      const shares = Array.from({ length: maxChanges + 1 }, (_, count) => shareRight(some, count));
      expect(guide).toContain(`| ${[name, ...shares].join(' | ')} |`);
    }
  });

  it('stand in the README', () => {
    expect(readMarkdown('README.md')).toContain(
      `right at the first shot for ${percent(heldout, right)} of ${heldout.length} prompts`,
    );
  });
});
