import { newReport } from './api-caller.js';
import { draw } from './draw.js';
import { countDown } from './told.js';
import { element, treesOf } from './tree.js';
import { countdown, counted, inTime } from './words.js';

/**
 * @typedef {import('./api-caller.js').ApiRequest} ApiRequest
 * @typedef {import('./api-caller.js').CallReport} CallReport
 */

/** The part of the playground that shows the last call of a tab, with the code that makes the same. */
export class ReportView {
  #root;
  #waiting = new AbortController();

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root;
  }

  /**
   * A call begins.
   * @param {ApiRequest} request
   */
  begin(request) {
    this.#root.dataset['shown'] = '';
    const code = { curl: curlOf, fetch: fetchOf, library: libraryOf };
    for (const [name, write] of Object.entries(code)) {
      const block = this.#root.querySelector(`[data-code="${name}"] code`);
      if (block) draw(block, [write(request, location.origin)]);
    }
    this.show(newReport(request));
  }

  clear() {
    this.#waiting.abort();
    delete this.#root.dataset['shown'];
    for (const part of this.#root.querySelectorAll('[data-part], [data-code] code')) part.replaceChildren();
  }

  /** @param {CallReport} report */
  show(report) {
    this.#waiting.abort();
    this.#waiting = new AbortController();
    draw(this.#part('facts'), factParts(report));
    const { status, retryAfterMs } = report;
    const waits = retryAfterMs !== null && (status === 429 || status === 503);
    draw(this.#part('error'), errorParts(report, waits ? retryAfterMs : null));
    if (waits) void this.#count(report, Date.now() + retryAfterMs);
  }

  /**
   * @param {CallReport} report
   * @param {number} until
   */
  async #count(report, until) {
    const tick = (/** @type {number} */ left) => draw(this.#part('error'), errorParts(report, left));
    if (await countDown(until, this.#waiting.signal, tick)) tick(0);
  }

  /** @param {string} name */
  #part(name) {
    return /** @type {HTMLElement} */ (this.#root.querySelector(`[data-part="${name}"]`));
  }
}

/**
 * A call for the command line. The key stays in the environment.
 * @param {ApiRequest} request
 * @param {string} origin
 */
function curlOf({ path, body, stream }, origin) {
  return [
    `curl ${stream ? '-N ' : ''}${origin}${path} \\`,
    '  -H "Authorization: Bearer $SWITCHYARD_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${indented(jsonOf(body)).replaceAll("'", "'\\''")}'`,
  ].join('\n');
}

/**
 * The same with `fetch`.
 * @param {ApiRequest} request
 * @param {string} origin
 */
function fetchOf({ path, body, stream }, origin) {
  const read = stream
    ? [
        'for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {',
        '  process.stdout.write(piece);',
        '}',
      ]
    : ['console.log(await response.json());'];
  return [
    `const response = await fetch('${origin}${path}', {`,
    "  method: 'POST',",
    '  headers: {',
    "    Authorization: 'Bearer ' + process.env.SWITCHYARD_API_KEY,",
    "    'Content-Type': 'application/json',",
    '  },',
    `  body: JSON.stringify(${indented(jsonOf(body))}),`,
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    ...read,
  ].join('\n');
}

/**
 * The same with the client library, in which streams are methods of their own.
 * @param {ApiRequest} request
 * @param {string} origin
 */
function libraryOf({ body, library, stream }, origin) {
  const path = library.path ? `\n  path: ${JSON.stringify(library.path)},` : '';
  const call = `switchyard.${library.method}({${path}\n  body: ${indented(jsonOf(body))},\n})`;
  return [
    "import { Switchyard } from '@switchyard/client';",
    '',
    'const switchyard = new Switchyard({',
    '  apiKey: process.env.SWITCHYARD_API_KEY,',
    `  baseUrl: '${origin}',`,
    '});',
    ...(stream
      ? [`for await (const event of ${call}) {`, '  console.log(event);', '}']
      : [`console.log(await ${call});`]),
  ].join('\n');
}

/** @param {unknown} value */
function jsonOf(value) {
  const short = JSON.stringify(value);
  return short.length <= 60 ? short : JSON.stringify(value, null, 2);
}

/** @param {string} text */
function indented(text) {
  return text.replaceAll('\n', '\n  ');
}

/**
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
