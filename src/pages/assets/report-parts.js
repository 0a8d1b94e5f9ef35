import { element, treesOf } from './tree.js';
import { countdown, counted, inTime } from './words.js';

/**
 * @typedef {import('./api-caller.js').CallReport} CallReport
 * @typedef {import('./tree.js').Tree} Tree
 */

/**
 * What a call was answered with, in lines of name and value.
 * @param {CallReport} report
 * @returns {readonly Tree[]}
 */
export function factParts({ state, status, durationMs, requestId, usage, limits, error }) {
  return treesOf([
    fact('Status', statusOf(state, status)),
    state !== 'running' && fact('Duration', inTime(durationMs)),
    requestId !== null && fact('Request id', element('code', {}, requestId)),
    state !== 'running' && status === 200 && fact('Usage', usageOf(usage, state, error !== null)),
    ...limits.map(([name, value]) => fact(element('code', {}, name), element('code', {}, value))),
    state !== 'running' && status !== null && limits.length === 0 && fact('Limits', 'none for this key'),
  ]);
}

/**
 * @param {CallReport['state']} state
 * @param {number | null} status
 */
function statusOf(state, status) {
  const words = {
    running: 'under way',
    whole: '',
    stopped: 'stopped by you',
    cut: 'broke off before its end',
    unreachable: 'the server cannot be reached',
  };
  return [status === null ? '' : String(status), words[state]].filter((part) => part !== '').join(', ');
}

/**
 * What the call has used. Only an answer that reached its end without one was made by no model.
 * @param {CallReport['usage']} usage
 * @param {CallReport['state']} state
 * @param {boolean} failed
 */
function usageOf(usage, state, failed) {
  if (usage !== null) return tokensOf(usage);
  if (state === 'stopped') return 'not known: the answer was stopped';
  return state === 'cut' || failed ? 'not known: the answer was cut' : 'no tokens: no model was called';
}

/** @param {NonNullable<CallReport['usage']>} usage */
function tokensOf({ prompt_tokens, completion_tokens, total_tokens, source }) {
  const estimated = source === 'estimated' ? ', estimated' : '';
  return `${counted(total_tokens, 'token')}: ${prompt_tokens} in, ${completion_tokens} out${estimated}`;
}

/**
 * @param {Tree} name
 * @param {Tree} value
 */
function fact(name, value) {
  return element('div', {}, element('dt', {}, name), element('dd', {}, value));
}

/**
 * What went wrong. Nothing in it is trusted: the link is made of the code, not taken from the answer.
 * @param {CallReport} report
 * @param {number | null} leftMs how long until it may be called again
 * @returns {readonly Tree[]}
 */
export function errorParts({ error, state, status, requestId }, leftMs) {
  if (state === 'unreachable') return [problem('The server cannot be reached. Try again in a moment.')];
  if (error === null) {
    return state === 'cut' ? [problem('The answer broke off: what is shown is incomplete.')] : [];
  }
  const { code, message, details, request_id, retryable } = error;
  const known = typeof code === 'string' && /^[a-z_]{1,60}$/.test(code);
  return treesOf([
    problem(String(message ?? `The server answered with status ${status}.`)),
    Array.isArray(details) &&
      details.length > 1 &&
      element(
        'ul',
        {},
        ...details.map(({ path, message: said }) =>
          element('li', {}, element('code', {}, String(path || 'body')), ` ${said}`),
        ),
      ),
    leftMs !== null && element('p', {}, againIn(leftMs)),
    leftMs === null && retryable === true && element('p', {}, 'The same call may succeed later.'),
    known &&
      element(
        'p',
        {},
        element('code', {}, code),
        ' ',
        element('a', { href: `/docs#/errors/${code}`, target: '_blank', rel: 'noopener' }, 'What it means'),
      ),
    typeof request_id === 'string' &&
      request_id !== requestId &&
      element('p', { class: 'muted small' }, 'Request ', element('code', {}, request_id)),
  ]);
}

/** @param {string} text */
function problem(text) {
  return element('p', { class: 'problem' }, text);
}

/** @param {number} ms */
function againIn(ms) {
  if (ms <= 0) return 'You can call again now.';
  if (ms < 3_600_000) return `You can call again in ${countdown(ms)}.`;
  return `You can call again after ${new Date(Date.now() + ms).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}.`;
}
