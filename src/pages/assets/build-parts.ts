import { ownPath, previewOrigin, type SiteAddresses } from './addresses.ts';
import { type BuildState, isOver, type StageState } from './build-state.ts';
import { changeText } from './change-words.ts';
import { leftPart } from './history-parts.ts';
import { readingParts, specParts } from './reading-parts.ts';
import { element, type Tree, treesOf } from './tree.ts';
import { counted, inBytes, inTime } from './words.ts';

/** The parts of a page that shows a build, by name. */
export function buildParts(
  state: BuildState,
  addresses: SiteAddresses,
): Readonly<Record<string, readonly Tree[]>> {
  return {
    title: [titleOf(state)],
    status: [statusOf(state)],
    actions: treesOf(actions(state, addresses)),
    family: family(state),
    reading: readingParts(state.plan, state.status === 'succeeded'),
    progress: [element('progress', progress(state))],
    track: state.stages.map((stage) => station(stage, isOver(state.status))),
    notices: [...state.notices.map((notice) => element('p', {}, notice)), ...left(state)],
    plan: specParts(state.plan),
    files: files(state),
    checks: checks(state),
    preview: preview(state, addresses),
  };
}

function titleOf({ title, status, error }: BuildState) {
  if (title && error?.code !== 'unsure') return title;
  if (error?.code === 'unsure') return 'The factory is not sure what to build';
  if (status === 'failed') return 'The build failed';
  return status === 'cancelled' ? 'The build was cancelled' : 'Building your app';
}

function statusOf(state: BuildState) {
  const { status, error, ahead, message, durationMs, engine } = state;
  switch (status) {
    case 'queued':
      if (ahead === null) return message || 'Requesting a build.';
      return ahead === 0
        ? 'Next in the queue.'
        : `${counted(ahead, 'build is', 'builds are')} ahead in the queue.`;
    case 'succeeded': {
      const by = engine?.mode === 'model' ? `by ${engine.model}` : 'by rules, without a model';
      return durationMs === null ? `Built ${by}.` : `Built in ${inTime(durationMs)} ${by}.`;
    }
    case 'failed':
      return error?.message ?? message;
    case 'cancelled':
      return 'It was stopped before it finished.';
    default:
      return message;
  }
}

function actions(
  { status, jobId, prompt, artifact, preview: shown, error }: BuildState,
  addresses: SiteAddresses,
) {
  if (!isOver(status)) return [];
  const own = ownPath(shown?.url, '/preview/', addresses);
  const open = previewOrigin(shown?.origin_url, addresses) ?? own;
  const download = ownPath(artifact?.url, '/api/factory/public-demo/', addresses);
  const asks = error?.code === 'unsure';
  const again = asks || status === 'cancelled' || error?.retryable === true;
  const outside = { target: '_blank', rel: 'noopener noreferrer' };
  return [
    open && element('a', { class: 'button primary', href: open, ...outside }, 'Open in new tab'),
    download &&
      element(
        'a',
        { class: 'button', href: download, download: artifact?.file_name ?? true },
        'Download .zip',
      ),
    jobId !== null &&
      status === 'succeeded' &&
      element('a', { class: 'button', href: `/factory/jobs/${jobId}`, 'data-action': 'share' }, 'Share link'),
    again &&
      prompt !== '' &&
      element(
        'a',
        { class: 'button primary', href: `/?prompt=${encodeURIComponent(prompt)}`, 'data-action': 'retry' },
        asks ? 'Choose what it should be' : 'Try again',
      ),
    element('a', { class: 'button', href: '/', 'data-action': 'another' }, 'Build another'),
  ];
}

/** Which revision of its app it is, with the link that leads to the newest. */
function family({ status, revision }: BuildState) {
  if (status !== 'succeeded' || revision === null) return [];
  const { number, root_id } = revision;
  return treesOf([
    `Revision ${number}`,
    number > 1 && changeText(revision) !== '' && `: ${changeText(revision)}`,
    ' · ',
    element(
      'a',
      { href: `/factory/jobs/${root_id}/newest`, 'data-action': 'share' },
      'Link to the latest version',
    ),
  ]);
}

/** What of the instruction that led to this app is not in it. */
const left = ({ status, revision }: BuildState) =>
  status === 'succeeded' && revision?.not_understood.length
    ? [leftPart(revision.not_understood, 'left', ' Change the app in other words, or edit its plan.')]
    : [];

function progress({ percent, status }: BuildState) {
  const value = String(status === 'succeeded' ? 100 : percent);
  return { max: '100', value, 'aria-label': 'Progress of the build', 'data-status': status };
}

const stageNames = {
  planning: 'Plan',
  generating: 'Write',
  verifying: 'Check',
  repairing: 'Repair',
  packaging: 'Pack',
};
const stateNames = { waiting: 'to come', active: 'under way', done: 'done', failed: 'not finished' };

/** @param over whether no more times will come */
function station({ id, state, durationMs }: StageState, over: boolean) {
  return element(
    'li',
    { class: 'station', 'data-state': state, 'aria-current': state === 'active' ? 'step' : null },
    element(
      'span',
      { class: 'station-name' },
      stageNames[id] ?? id,
      element('span', { class: 'hidden' }, `: ${stateNames[state]}`),
    ),
    (durationMs !== null || !over) &&
      element('span', { class: 'station-time' }, durationMs === null ? '\u00a0' : inTime(durationMs)),
  );
}

function files({ files: written, filesTotal }: BuildState) {
  if (written.length === 0) return [];
  const total = Math.max(filesTotal, written.length);
  const amount = written.length === total ? `${total}` : `${written.length} of ${total}`;
  return [
    element('h3', {}, 'Files ', element('span', { class: 'amount' }, amount)),
    element(
      'ul',
      { class: 'files', tabindex: '0', 'aria-label': 'Files' },
      ...written.map(({ path, bytes }) =>
        element('li', {}, element('code', {}, path), element('span', { class: 'muted' }, inBytes(bytes))),
      ),
    ),
  ];
}

function checks({ checks: done }: BuildState) {
  if (done.length === 0) return [];
  const passed = done.filter(({ status }) => status !== 'failed').length;
  const problems = done.flatMap((check) => check.problems);
  return [
    element('h3', {}, 'Checks ', element('span', { class: 'amount' }, `${passed} of ${done.length} passed`)),
    problems.length > 0 &&
      element(
        'ul',
        { class: 'problems' },
        ...problems.map(({ severity, message, file, line }) =>
          element(
            'li',
            { 'data-severity': severity },
            element('strong', {}, severity === 'error' ? 'Error' : 'Warning'),
            ` ${message}`,
            file && element('code', {}, line === null ? file : `${file}:${line}`),
          ),
        ),
      ),
    element(
      'details',
      {},
      element('summary', {}, 'What was checked'),
      element(
        'ul',
        { class: 'checks' },
        ...done.map(({ id, status }) =>
          element('li', { 'data-status': status }, id, element('span', { class: 'hidden' }, `: ${status}`)),
        ),
      ),
    ),
  ].filter((part) => part !== false);
}

function preview({ status, title, preview: shown, expiresAt }: BuildState, addresses: SiteAddresses) {
  const src = ownPath(shown?.url, '/preview/', addresses);
  const over = isOver(status);
  return treesOf([
    element(
      'div',
      { class: 'window-bar', 'aria-hidden': 'true' },
      element('span', { class: 'window-title' }, src ? `${title ?? ''}` : 'Preview'),
    ),
    src && over
      ? element('iframe', {
          // The app itself: this page holds it, and says what its frame may show.
          src: `${src}app`,
          title: `Preview of ${title ?? 'the app'}`,
          sandbox: 'allow-scripts allow-forms allow-modals allow-downloads',
          referrerpolicy: 'no-referrer',
        })
      : element(
          'div',
          { class: 'window-empty', 'data-busy': !over },
          element('p', {}, over ? 'There is no app to show.' : 'Your app appears here.'),
        ),
    src &&
      over &&
      element(
        'figcaption',
        {},
        'A visitor described this app: enter no secrets. This preview does not save entries; the app does once ',
        previewOrigin(shown?.origin_url, addresses)
          ? 'you open it in a new tab or download it.'
          : 'you download it.',
        expiresAt !== null && ' Available until ',
        expiresAt !== null &&
          element('time', { datetime: expiresAt }, `${expiresAt.slice(0, 16).replace('T', ' ')} UTC`),
        expiresAt !== null && '.',
      ),
  ]);
}
