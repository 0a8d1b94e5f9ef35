import type { CallReport } from './api-caller.ts';
import { element, type Tree, treesOf } from './tree.ts';
import { countdown, counted, inTime } from './words.ts';

/** What a call was answered with, in lines of name and value. */
export function factParts({
  state,
  status,
  durationMs,
  requestId,
  usage,
  limits,
  error,
}: CallReport): readonly Tree[] {
  return treesOf([
    fact('Status', statusOf(state, status)),
    state !== 'running' && fact('Duration', inTime(durationMs)),
    requestId !== null && fact('Request id', element('code', {}, requestId)),
    state !== 'running' && status === 200 && fact('Usage', usageOf(usage, state, error !== null)),
    ...limits.map(([name, value]) => fact(element('code', {}, name), element('code', {}, value))),
    state !== 'running' && status !== null && limits.length === 0 && fact('Limits', 'none for this key'),
  ]);
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

/** What the call has used. Only an answer that reached its end without one was made by no model. */
function usageOf(usage: CallReport['usage'], state: CallReport['state'], failed: boolean) {
  if (usage !== null) return tokensOf(usage);
  if (state === 'stopped') return 'not known: the answer was stopped';
  return state === 'cut' || failed ? 'not known: the answer was cut' : 'no tokens: no model was called';
}

function tokensOf({
  prompt_tokens,
  completion_tokens,
  total_tokens,
  source,
}: NonNullable<CallReport['usage']>) {
  const estimated = source === 'estimated' ? ', estimated' : '';
  return `${counted(total_tokens, 'token')}: ${prompt_tokens} in, ${completion_tokens} out${estimated}`;
}

function fact(name: Tree, value: Tree) {
  return element('div', {}, element('dt', {}, name), element('dd', {}, value));
}

/**
 * What went wrong. Nothing in it is trusted: the link is made of the code, not taken from the answer.
 * @param leftMs how long until it may be called again
 */
export function errorParts(
  { error, state, status, requestId }: CallReport,
  leftMs: number | null,
): readonly Tree[] {
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

function problem(text: string) {
  return element('p', { class: 'problem' }, text);
}

function againIn(ms: number) {
  if (ms <= 0) return 'You can call again now.';
  if (ms < 3_600_000) return `You can call again in ${countdown(ms)}.`;
  return `You can call again after ${new Date(Date.now() + ms).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}.`;
}
