import type { ErrorObject, Usage } from '../../../generated/types.gen.ts';
import { readEvents } from './event-stream.ts';

/** How the client library names the call. */
export type LibraryCall = { method: string; path?: Readonly<Record<string, string>> };

export type ApiRequest = {
  path: string;
  body: Readonly<Record<string, unknown>>;
  stream?: boolean;
  library: LibraryCall;
};

export interface CallReport {
  readonly request: ApiRequest;
  state: 'running' | 'whole' | 'stopped' | 'cut' | 'unreachable';
  status: number | null;
  requestId: string | null;
  /** Headers that say how the limits stand. */
  limits: readonly (readonly [string, string])[];
  retryAfterMs: number | null;
  durationMs: number;
  error: Partial<ErrorObject> | null;
  usage: Usage | null;
  body: unknown;
}

/** The server sends a heartbeat every 15 seconds. */
const silenceMs = 60_000;

export function newReport(request: ApiRequest): CallReport {
  return {
    request,
    state: 'running',
    status: null,
    requestId: null,
    limits: [],
    retryAfterMs: null,
    durationMs: 0,
    error: null,
    usage: null,
    body: null,
  };
}

/**
 * Returns what calls the interface with a key that nothing else holds.
 * @param onRefused when the server does not take the key, or not any more
 */
export function apiCaller(key: string, onRefused: (message: string) => void) {
  const headers = { authorization: `Bearer ${key}` };

  /** Throws `TypeError` when the server cannot be reached. */
  const get = (path: string) => fetch(path, { headers, ...apart });

  /**
   * Never throws for what the server or the network does: the report says it.
   * @param signal stops the call
   * @param onEvent the events of a stream, in their order
   */
  async function send(request: ApiRequest, signal: AbortSignal, onEvent: (event: unknown) => void) {
    const begun = performance.now();
    const report = newReport(request);
    try {
      const response = await fetch(request.path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(request.body),
        signal,
        ...apart,
      });
      noteHead(report, response);
      report.state = await readAnswer(report, response, signal, onEvent);
    } catch {
      report.state = report.status === null ? 'unreachable' : 'cut';
    }
    if (signal.aborted) report.state = 'stopped';
    else if (report.status === 401) onRefused(report.error?.message ?? 'The key was refused.');
    report.durationMs = performance.now() - begun;
    return report;
  }

  return { get, send };
}

export type ApiCaller = ReturnType<typeof apiCaller>;

/** Neither cookies go along nor is anything kept of the answer. */
const apart = { credentials: 'omit', cache: 'no-store', redirect: 'error' } as const;

function noteHead(report: CallReport, { status, headers }: Response) {
  const seconds = headers.get('retry-after');
  report.status = status;
  report.requestId = headers.get('x-request-id');
  report.limits = [...headers].filter(([name]) => /^(x-)?ratelimit/.test(name));
  report.retryAfterMs = seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

async function readAnswer(
  report: CallReport,
  response: Response,
  signal: AbortSignal,
  onEvent: (event: unknown) => void,
): Promise<'whole' | 'cut'> {
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!streamed || response.body === null) {
    report.body = await response.json();
    const { error, usage } = (report.body ?? {}) as Partial<Pick<CallReport, 'error' | 'usage'>>;
    report.error = error ?? null;
    report.usage = usage ?? null;
    return 'whole';
  }
  for await (const data of readEvents(response.body, { silenceMs, signal })) {
    const event = JSON.parse(data);
    onEvent(event);
    if (event.type === 'error') report.error = event.error;
    if (event.type !== 'end') continue;
    report.usage = event.usage ?? event.run?.usage ?? null;
    report.error = event.run?.error ?? null;
  }
  return report.usage !== null || report.error !== null ? 'whole' : 'cut';
}
