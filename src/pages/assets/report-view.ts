import { type ApiRequest, type CallReport, newReport } from './api-caller.ts';
import { draw, finder, renewedSignal } from './draw.ts';
import { type Html, html } from './html.ts';
import { countDown } from './messages.ts';
import { countdown, counted, inTime } from './words.ts';

/** The part of the playground that shows the last call of a tab, with the code that makes the same. */
export function reportView(root: HTMLElement) {
  const find = finder(root);
  const part = (name: string) => find(`[data-part="${name}"]`);
  const freshSignal = renewedSignal();

  function begin(request: ApiRequest) {
    root.dataset['shown'] = '';
    const code = { curl: curlOf, fetch: fetchOf, library: libraryOf };
    for (const [name, write] of Object.entries(code)) {
      find(`[data-code="${name}"] code`).textContent = write(request, location.origin);
    }
    show(newReport(request));
  }

  function clear() {
    freshSignal();
    delete root.dataset['shown'];
    for (const part of root.querySelectorAll('[data-part], [data-code] code')) part.replaceChildren();
  }

  function show(report: CallReport) {
    const signal = freshSignal();
    draw(part('facts'), factParts(report));
    const { status, retryAfterMs } = report;
    const waits = retryAfterMs !== null && (status === 429 || status === 503);
    draw(part('error'), errorParts(report, waits ? retryAfterMs : null));
    if (waits) void count(report, Date.now() + retryAfterMs, signal);
  }

  async function count(report: CallReport, until: number, signal: AbortSignal) {
    const tick = (left: number) => draw(part('error'), errorParts(report, left));
    if (await countDown(until, signal, tick)) tick(0);
  }

  return { begin, clear, show };
}

/** A call for the command line. The key stays in the environment. */
function curlOf({ path, body, stream }: ApiRequest, origin: string) {
  return [
    `curl ${stream ? '-N ' : ''}${origin}${path} \\`,
    '  -H "Authorization: Bearer $SWITCHYARD_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${indented(jsonOf(body)).replaceAll("'", "'\\''")}'`,
  ].join('\n');
}

function fetchOf({ path, body, stream }: ApiRequest, origin: string) {
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

/** The same with the client library, in which streams are methods of their own. */
function libraryOf({ body, library, stream }: ApiRequest, origin: string) {
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

function jsonOf(value: unknown) {
  const short = JSON.stringify(value);
  return short.length <= 60 ? short : JSON.stringify(value, null, 2);
}

function indented(text: string) {
  return text.replaceAll('\n', '\n  ');
}

/** What a call was answered with, in lines of name and value. */
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

/** What the call has used. Only an answer that reached its end without one was made by no model. */
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
 * What went wrong. Nothing in it is trusted: the link is made of the code, not taken from the answer.
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
