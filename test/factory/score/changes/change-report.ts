import type { PromptEntry } from '../prompt-set.ts';
import { table } from '../report.ts';
import { type ChangedRow, maxChanges } from './changes.ts';

/** A prompt with what became of it by changes. */
export interface ChangedPrompt {
  readonly entry: PromptEntry;
  readonly changed: ChangedRow;
}

/** Whether a prompt is right after so many changes; what was right stays so. */
export const isRightAfter = ({ changed: { rows } }: ChangedPrompt, count: number): boolean =>
  rows[Math.min(count, rows.length - 1)]?.score.verdict === 'right';

/** The share of some prompts that is right after so many changes, in percent. */
export function shareRight(prompts: readonly ChangedPrompt[], count: number): string {
  if (prompts.length === 0) return '-';
  const right = prompts.filter((prompt) => isRightAfter(prompt, count)).length;
  return `${((100 * right) / prompts.length).toFixed(0)} %`;
}

const counts = Array.from({ length: maxChanges + 1 }, (_, count) => count);

/** The prompts by what is expected of them. */
export const byService = (prompts: readonly ChangedPrompt[]) =>
  [
    ['all', prompts],
    ['served', prompts.filter(({ entry }) => !entry.expect.unserved)],
    ['unserved', prompts.filter(({ entry }) => entry.expect.unserved)],
  ] as const;

/** The share that is right after none, one, two and three changes, as a table of text. */
export function changeSummary(prompts: readonly ChangedPrompt[]): string {
  return table([
    ['right after', 'prompts', ...counts.map((count) => (count === 1 ? '1 change' : `${count} changes`))],
    ...byService(prompts).map(([name, some]) => [
      name,
      String(some.length),
      ...counts.map((count) => shareRight(some, count)),
    ]),
  ]);
}

/** Why prompts are not right in the end, by number of prompts, as a table of text. No word of them is shown. */
export function whyWrong(prompts: readonly ChangedPrompt[]): string {
  const found = new Map<string, number>();
  const wrong = prompts.filter((prompt) => !isRightAfter(prompt, maxChanges));
  for (const { entry, changed } of wrong) {
    const left = new Set(changed.left.map(({ sort }) => sort));
    const service = entry.expect.unserved ? 'unserved: ' : '';
    const reasons = new Set(
      changed.rows.at(-1)?.score.wishes.map(({ sort }) => {
        const isAsked = changed.asked.length > 0 && !left.has(sort);
        return `${service}${sort}, ${isAsked ? 'asked for' : 'could not be asked for'}`;
      }),
    );
    for (const reason of reasons) found.set(reason, (found.get(reason) ?? 0) + 1);
  }
  const lines = [...found].toSorted(([, one], [, other]) => other - one);
  return lines.length === 0 ? 'none' : table(lines.map(([reason, count]) => [reason, String(count)]));
}

/** The prompts that are not right in the end, with what was asked for and what came of it. */
export function shownChanges(prompts: readonly ChangedPrompt[]): string {
  return prompts
    .filter((prompt) => !isRightAfter(prompt, maxChanges))
    .map(({ entry, changed: { rows, asked, left, refused } }) =>
      [
        `${entry.id}: ${entry.prompt}`,
        ...asked.map((change) => `  asked: ${typeof change === 'string' ? change : JSON.stringify(change)}`),
        ...refused.map((text) => `  refused: ${text}`),
        ...left.map((wish) => `  could not be asked for: ${JSON.stringify(wish)}`),
        ...(rows.at(-1)?.score.reasons ?? []).map(({ check, detail }) => `  ${check}: ${detail}`),
      ].join('\n'),
    )
    .join('\n\n');
}
