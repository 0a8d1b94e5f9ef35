import type { FactoryDiff, FactoryJob } from '../../../generated/types.gen.ts';
import { changeText, changeWords } from './change-words.ts';
import { element, type Tree, treesOf } from './tree.ts';
import { counted, timeOf } from './words.ts';

/**
 * The revisions of an app, newest first, with what can be done with each.
 * @param shownId the one that is shown beside
 */
export function historyParts(
  revisions: readonly FactoryJob[],
  shownId: string,
  compared: { number: number; diff: FactoryDiff } | null,
): readonly Tree[] {
  const newest = revisions[0]?.id;
  const shown = revisions.find(({ id }) => id === shownId)?.revision.number;
  return [
    element('h2', { class: 'hidden' }, 'History'),
    element(
      'ol',
      { class: 'revisions', reversed: true, 'aria-label': 'Revisions, the newest first' },
      ...revisions.map((job) => {
        const { number, base_id: baseId, not_understood: left } = job.revision;
        const before = revisions.find(({ id }) => id === baseId)?.plan?.spec;
        const here = job.id === shownId;
        const name = `revision ${number}`;
        const act = (action: string, text: string) =>
          element(
            'button',
            {
              type: 'button',
              class: 'plain',
              'data-act': action,
              'data-number': String(number),
              'data-id': job.id,
              'aria-label': `${text} ${name}`,
            },
            text,
          );
        return element(
          'li',
          { class: 'revision', 'aria-current': here ? 'true' : null },
          element(
            'p',
            { class: 'revision-name' },
            element('strong', {}, String(number)),
            ` ${changeText(job.revision, before) || 'the first build'} `,
            element('time', { datetime: job.created_at, class: 'muted' }, timeOf(job.created_at)),
          ),
          left.length > 0 && leftPart(left, 'revision-left muted'),
          element(
            'p',
            { class: 'revision-acts' },
            here && element('span', { class: 'muted' }, 'shown'),
            job.status !== 'succeeded' && element('span', { class: 'muted' }, job.status),
            job.status === 'succeeded' && !here && act('show', 'Show'),
            job.status === 'succeeded' && !here && shown !== undefined && act('compare', 'Compare'),
            job.status === 'succeeded' && job.id !== newest && act('restore', 'Restore'),
          ),
        );
      }),
    ),
    ...(compared === null ? [] : diffParts(compared.diff)),
  ];
}

/** What differs, in words and in the files. */
function diffParts({ from, to, spec, files }: FactoryDiff): readonly Tree[] {
  return treesOf([
    element('h3', { id: 'compared', tabindex: '-1' }, `From revision ${from?.number ?? 0} to ${to.number}`),
    spec.length === 0
      ? element('p', {}, 'Their plans are the same.')
      : element('ul', { class: 'changes' }, ...spec.map((change) => element('li', {}, changeWords(change)))),
    element(
      'h4',
      {},
      files.length === 0 ? 'Their files are the same.' : `${counted(files.length, 'file')} changed`,
    ),
    ...files.map(({ path, status, diff, before_bytes, after_bytes }) =>
      element(
        'details',
        { class: 'file-change' },
        element(
          'summary',
          { class: 'file-name' },
          element('code', {}, path),
          element('span', { class: 'muted' }, ` ${status}`),
        ),
        diff === null
          ? element('p', { class: 'muted' }, `${before_bytes ?? 0} bytes before, ${after_bytes ?? 0} after.`)
          : element(
              'pre',
              { class: 'diff', tabindex: '0', 'aria-label': `Changes of ${path}` },
              ...linesOf(diff).map(line),
            ),
      ),
    ),
  ]);
}

/** The parts of an instruction that were not done: what was not understood, and what was refused with its reason. */
export function leftPart(parts: readonly string[], className: string, advice = '') {
  const quoted = parts.flatMap((text, n) => [n > 0 && ', ', element('q', {}, text)]);
  return element('p', { class: className }, 'Not done: ', ...quoted, `.${advice}`);
}

/** The lines of a unified diff, without those that name the file. */
function linesOf(diff: string) {
  const lines = diff.trimEnd().split('\n');
  return lines.slice(
    Math.max(
      lines.findIndex((line) => line.startsWith('@@')),
      0,
    ),
  );
}

/** @param text of a unified diff */
function line(text: string) {
  const sort = { '+': 'added', '-': 'removed', '@': 'place' }[text.charAt(0)] ?? 'same';
  return element('span', { 'data-sort': sort }, `${text}\n`);
}
