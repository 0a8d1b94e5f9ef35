import { type BuildState, isOver, type StageState } from './build-state.ts';
import { changeText, leftPart } from './change-words.ts';
import { type Html, html } from './html.ts';
import { readingParts, specParts } from './reading-parts.ts';
import { counted, inBytes, inTime } from './words.ts';

export function buildParts(state: BuildState, addresses: SiteAddresses): Readonly<Record<string, Html>> {
  return {
    title: html`${titleOf(state)}`,
    status: html`${statusOf(state)}`,
    actions: actions(state, addresses),
    family: family(state),
    reading: readingParts(state.plan, state.status === 'succeeded'),
    progress: progress(state),
    track: html`${state.stages.map((stage) => station(stage, isOver(state.status)))}`,
    notices: html`${state.notices.map((notice) => html`<p class="warning">${notice}</p>`)}${left(state)}`,
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
): Html {
  if (!isOver(status)) return html``;
  const own = ownPath(shown?.url, '/preview/', addresses);
  const open = previewOrigin(shown?.origin_url, addresses) ?? own;
  const download = ownPath(artifact?.url, '/api/factory/public-demo/', addresses);
  const asks = error?.code === 'unsure';
  const again = prompt !== '' && (asks || status === 'cancelled' || error?.retryable === true);
  return html`${open && html`<a class="button primary" href="${open}" target="_blank" rel="noopener noreferrer">Open in new tab</a>`}
${download && html`<a class="button" href="${download}" download="${artifact?.file_name}">Download .zip</a>`}
${jobId !== null && status === 'succeeded' && html`<a class="button" href="/factory/jobs/${jobId}" data-action="share">Share link</a>`}
${again && html`<a class="button primary" href="/?prompt=${encodeURIComponent(prompt)}" data-action="retry">${asks ? 'Choose what it should be' : 'Try again'}</a>`}
<a class="button" href="/" data-action="another">Build another</a>`;
}

/** Which revision of its app it is, with the link that leads to the newest. */
function family({ status, revision }: BuildState): Html {
  if (status !== 'succeeded' || revision === null) return html``;
  const { number, root_id } = revision;
  const change = number > 1 ? changeText(revision) : '';
  return html`Revision ${number}${change && `: ${change}`} · <a href="/factory/jobs/${root_id}/newest" data-action="share">Link to the latest version</a>`;
}

/** The parts of this app's instruction that are not in it. */
const left = ({ status, revision }: BuildState) =>
  status === 'succeeded' &&
  revision !== null &&
  revision.not_understood.length > 0 &&
  leftPart(revision.not_understood, 'warning', ' Change the app in other words, or edit its plan.');

function progress({ percent, status }: BuildState): Html {
  const value = status === 'succeeded' ? 100 : percent;
  return html`<progress max="100" value="${value}" aria-label="Progress of the build" data-status="${status}"></progress>`;
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
function station({ id, state, durationMs }: StageState, over: boolean): Html {
  const time = durationMs === null ? '\u00a0' : inTime(durationMs);
  return html`<li class="station" data-state="${state}" ${state === 'active' && html`aria-current="step"`}>
<span class="station-name">${stageNames[id] ?? id}<span class="hidden">: ${stateNames[state]}</span></span>
${(durationMs !== null || !over) && html`<span class="station-time">${time}</span>`}</li>`;
}

function files({ files: written, filesTotal }: BuildState): Html {
  if (written.length === 0) return html``;
  const total = Math.max(filesTotal, written.length);
  const amount = written.length === total ? `${total}` : `${written.length} of ${total}`;
  return html`<h3>Files <span class="amount">${amount}</span></h3>
<ul class="files" tabindex="0" aria-label="Files">${written.map(
    ({ path, bytes }) => html`<li><code>${path}</code><span class="muted">${inBytes(bytes)}</span></li>`,
  )}</ul>`;
}

function checks({ checks: done }: BuildState): Html {
  if (done.length === 0) return html``;
  const passed = done.filter(({ status }) => status !== 'failed').length;
  const problems = done
    .flatMap((check) => check.problems)
    .map(
      ({ severity, message, file, line }) => html`<li data-severity="${severity}">
<strong>${severity === 'error' ? 'Error' : 'Warning'}</strong> ${message}${file && html`<code>${line === null ? file : `${file}:${line}`}</code>`}</li>`,
    );
  return html`<h3>Checks <span class="amount">${passed} of ${done.length} passed</span></h3>
${problems.length > 0 && html`<ul class="problems">${problems}</ul>`}
<details><summary>What was checked</summary>
<ul class="checks">${done.map(({ id, status }) => html`<li data-status="${status}">${id}<span class="hidden">: ${status}</span></li>`)}</ul></details>`;
}

function preview({ status, title, preview: shown, expiresAt }: BuildState, addresses: SiteAddresses): Html {
  const src = ownPath(shown?.url, '/preview/', addresses);
  const over = isOver(status);
  const bar = html`<div class="window-bar" aria-hidden="true"><span class="window-title">${src ? title : 'Preview'}</span></div>`;
  if (!src || !over)
    return html`${bar}
<div class="window-empty" ${!over && html`data-busy=""`}><p>${over ? 'There is no app to show.' : 'Your app appears here.'}</p></div>`;
  const kept = previewOrigin(shown?.origin_url, addresses)
    ? 'you open it in a new tab or download it.'
    : 'you download it.';
  const until = expiresAt?.slice(0, 16).replace('T', ' ');
  // The frame has the app itself: this page holds it, and says what its frame may show.
  return html`${bar}
<iframe src="${src}app" title="Preview of ${title ?? 'the app'}" sandbox="allow-scripts allow-forms allow-modals allow-downloads" referrerpolicy="no-referrer"></iframe>
<figcaption>A visitor described this app: enter no secrets. This preview does not save entries; the app does once ${kept}${until && html` Available until <time datetime="${expiresAt}">${until} UTC</time>.`}</figcaption>`;
}

/**
 * Where links of a build may lead. The data of a stream is not trusted: only this server's own paths and the origin that
 * belongs to the build pass, everything else is left out.
 */
export type SiteAddresses = { publicUrl: string; previewDomain: string | null };

/**
 * The path of an address of this server, so that it works under whatever name the visitor has reached it.
 * @param under what the path has to begin with
 */
export function ownPath(
  address: string | null | undefined,
  under: string,
  { publicUrl }: SiteAddresses,
): string | null {
  const url = parse(address);
  if (url === null || url.origin !== new URL(publicUrl).origin) return null;
  return url.pathname.startsWith(under) ? url.pathname : null;
}

/** The address of the build on an origin of its own, under the domain that is set aside for previews. */
export function previewOrigin(
  address: string | null | undefined,
  { previewDomain }: SiteAddresses,
): string | null {
  const url = parse(address);
  if (url === null || previewDomain === null) return null;
  const web = url.protocol === 'http:' || url.protocol === 'https:';
  return web && url.hostname.endsWith(`.${previewDomain}`) ? url.href : null;
}

/**
 * The domain of previews, if it leads the visitor to this server: `localhost` is the visitor's own machine.
 * @param hostname under which the visitor has reached this server
 */
export function usableDomain(domain: string | undefined, hostname: string): string | null {
  if (domain !== 'localhost') return domain ?? null;
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname) ? domain : null;
}

function parse(address: string | null | undefined) {
  return typeof address === 'string' && URL.canParse(address) ? new URL(address) : null;
}
