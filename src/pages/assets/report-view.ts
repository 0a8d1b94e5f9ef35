import { type ApiCaller, type ApiRequest, type CallReport, newReport } from './api-caller.ts';
import { draw, finder, renewedSignal, setBlocked } from './draw.ts';
import { countDown } from './messages.ts';
import { errorParts, factParts } from './report-parts.ts';

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

export type TabParts = {
  panel: HTMLElement;
  caller: () => ApiCaller | null;
  announce: (text: string) => void;
};

type Call = (signal: AbortSignal) => Promise<void>;

/** A tab of the playground: a form that calls the interface, and a report of the last call. */
export function openTab({ panel }: TabParts, call: Call) {
  const find = finder(panel);
  return {
    find,
    report: reportView(find('[data-report]')),
    /** Stops the running call. */
    stop: useCallButton(find('form'), call),
  };
}

/** A form with a button that calls and one that stops the running call, as what is returned does. */
function useCallButton(form: HTMLElement, call: Call) {
  const submit = form.querySelector('[type="submit"]') as HTMLButtonElement;
  const stopButton = form.querySelector('[data-stop]') as HTMLButtonElement;
  let running: AbortController | null = null;
  const stop = () => running?.abort();
  stopButton.addEventListener('click', stop);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (running !== null) return;
    running = new AbortController();
    show(true);
    try {
      await call(running.signal);
    } finally {
      running = null;
      show(false);
    }
  });

  function show(isRunning: boolean) {
    if (!isRunning && document.activeElement === stopButton) submit.focus();
    setBlocked(submit, isRunning);
    stopButton.hidden = !isRunning;
  }

  return stop;
}
