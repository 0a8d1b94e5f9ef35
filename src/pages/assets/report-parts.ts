import type { CallReport } from './api-caller.ts';
import { type Html, html } from './html.ts';
import { countdown, counted, inTime } from './words.ts';

/** The answer to a call, in lines of name and value. */
export function factParts(report: CallReport): Html {
  const { state, status, durationMs, requestId, usage, limits, error } = report;
  const over = state !== 'running';
  return html`${fact('Status', statusOf(state, status))}
${over && fact('Duration', inTime(durationMs))}
${requestId !== null && fact('Request id', html`<code>${requestId}</code>`)}
${over && status === 200 && fact('Usage', usageOf(usage, state, error !== null))}
${limits.map(([name, value]) => fact(html`<code>${name}</code>`, html`<code>${value}</code>`))}
${over && status !== null && limits.length === 0 && fact('Limits', 'none for this key')}`;
}

function statusOf(state: CallReport['state'], status: number | null) {
  const words = {
    running: 'under way',
    whole: '',
    stopped: 'stopped by you',
    cut: 'broke off before its end',
    unreachable: 'the server cannot be reached',
  };
  return [status === null ? '' : String(status), words[state]].filter((part) => part !== '').join(', ');
}

/** The usage of the call. Only an answer that reached its end without one was made by no model. */
function usageOf(usage: CallReport['usage'], state: CallReport['state'], failed: boolean) {
  if (usage !== null) return tokensOf(usage);
  if (state === 'stopped') return 'not known: the answer was stopped';
  return state === 'cut' || failed ? 'not known: the answer was cut' : 'no tokens: no model was called';
}

function tokensOf(usage: NonNullable<CallReport['usage']>) {
  const { prompt_tokens, completion_tokens, total_tokens, source } = usage;
  const estimated = source === 'estimated' ? ', estimated' : '';
  return `${counted(total_tokens, 'token')}: ${prompt_tokens} in, ${completion_tokens} out${estimated}`;
}

function fact(name: unknown, value: unknown): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/**
 * The error of a call. Nothing in it is trusted: the link is made of the code, not taken from the answer.
 * @param leftMs how long until it may be called again
 */
export function errorParts({ error, state, status, requestId }: CallReport, leftMs: number | null): Html {
  if (state === 'unreachable') return problem('The server cannot be reached. Try again in a moment.');
  if (error === null)
    return state === 'cut' ? problem('The answer broke off: what is shown is incomplete.') : html``;
  const { code, message, details, request_id, retryable } = error;
  const known = typeof code === 'string' && /^[a-z_]{1,60}$/.test(code);
  const other = typeof request_id === 'string' && request_id !== requestId;
  return html`${problem(String(message ?? `The server answered with status ${status}.`))}
${Array.isArray(details) && details.length > 1 && html`<ul>${details.map(({ path, message: said }) => html`<li><code>${path || 'body'}</code> ${said}</li>`)}</ul>`}
${leftMs !== null && html`<p>${againIn(leftMs)}</p>`}
${leftMs === null && retryable === true && html`<p>The same call may succeed later.</p>`}
${known && html`<p><code>${code}</code> <a href="/docs#/errors/${code}" target="_blank" rel="noopener">What it means</a></p>`}
${other && html`<p class="muted small">Request <code>${request_id}</code></p>`}`;
}

function problem(text: string): Html {
  return html`<p class="problem">${text}</p>`;
}

function againIn(ms: number) {
  if (ms <= 0) return 'You can call again now.';
  if (ms < 3_600_000) return `You can call again in ${countdown(ms)}.`;
  return `You can call again after ${new Date(Date.now() + ms).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}.`;
}
