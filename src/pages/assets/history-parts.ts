import type { FactoryDiff, FactoryJob } from '../../../generated/types.gen.ts';
import { changeText, changeWords } from './change-words.ts';
import { type Html, html } from './html.ts';
import { counted, timeOf } from './words.ts';

/**
 * The revisions of an app, newest first, with what can be done with each.
 * @param shownId the one that is shown beside
 */
export function historyParts(
  revisions: readonly FactoryJob[],
  shownId: string,
  compared: { number: number; diff: FactoryDiff } | null,
): Html {
  const newest = revisions[0]?.id;
  const shown = revisions.find(({ id }) => id === shownId)?.revision.number;
  const revisionView = (job: FactoryJob) => {
    const { number, base_id: baseId, not_understood: left } = job.revision;
    const before = revisions.find(({ id }) => id === baseId)?.plan?.spec;
    const here = job.id === shownId;
    const done = job.status === 'succeeded';
    const act = (action: string, text: string) =>
      html`<button type="button" class="plain" data-act="${action}" data-number="${number}" data-id="${job.id}" aria-label="${text} revision ${number}">${text}</button>`;
    return html`<li class="revision" ${here && html`aria-current="true"`}>
<p class="revision-name"><strong>${number}</strong> ${changeText(job.revision, before) || 'the first build'} <time datetime="${job.created_at}" class="muted">${timeOf(job.created_at)}</time></p>
${left.length > 0 && leftPart(left, 'revision-left muted')}
<p class="revision-acts">${here && html`<span class="muted">shown</span>`}${!done && html`<span class="muted">${job.status}</span>`}${done && !here && act('show', 'Show')}${done && !here && shown !== undefined && act('compare', 'Compare')}${done && job.id !== newest && act('restore', 'Restore')}</p></li>`;
  };
  return html`<h2 class="hidden">History</h2>
<ol class="revisions" reversed="" aria-label="Revisions, the newest first">${revisions.map(revisionView)}</ol>
${compared !== null && diffView(compared.diff)}`;
}

function diffView({ from, to, spec, files }: FactoryDiff): Html {
  return html`<h3 id="compared" tabindex="-1">From revision ${from?.number ?? 0} to ${to.number}</h3>
${spec.length === 0 ? html`<p>Their plans are the same.</p>` : html`<ul class="changes">${spec.map((change) => html`<li>${changeWords(change)}</li>`)}</ul>`}
<h4>${files.length === 0 ? 'Their files are the same.' : `${counted(files.length, 'file')} changed`}</h4>
${files.map(
  ({ path, status, diff, before_bytes, after_bytes }) => html`<details class="file-change">
<summary class="file-name"><code>${path}</code><span class="muted"> ${status}</span></summary>
${diff === null ? html`<p class="muted">${before_bytes ?? 0} bytes before, ${after_bytes ?? 0} after.</p>` : html`<pre class="diff" tabindex="0" aria-label="Changes of ${path}">${linesOf(diff).map(line)}</pre>`}</details>`,
)}`;
}

/** The parts of an instruction that were not done: what was not understood, and what was refused with its reason. */
export function leftPart(parts: readonly string[], className: string, advice = ''): Html {
  return html`<p class="${className}">Not done: ${parts.map((text, n) => html`${n > 0 && ', '}<q>${text}</q>`)}.${advice}</p>`;
}

/** The lines of a unified diff, without those that name the file. */
function linesOf(diff: string) {
  const lines = diff.trimEnd().split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  return lines.slice(Math.max(first, 0));
}

function line(text: string) {
  const sort = { '+': 'added', '-': 'removed', '@': 'place' }[text.charAt(0)] ?? 'same';
  return html`<span data-sort="${sort}">${text}\n</span>`;
}
