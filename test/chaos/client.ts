import { Pool, request } from 'undici';
import type { Call, Tenant, Usage } from './evidence.ts';
import type { Server } from './server.ts';

/** After so long a client gives up. */
const patienceMs = 12_000;

export interface Ask {
  readonly server: Server;
  readonly kind: Call['kind'];
  readonly tenant: string;
  readonly key: string | null;
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  /** What is sent, given the request's id. */
  readonly body?: (id: string) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds after which the client leaves; null: it stays. */
  readonly leaveAfter?: number | null;
}

export interface Reply {
  readonly call: Call;
  readonly status: number | null;
  /** The answer, whole or not. */
  readonly text: string;
  readonly json: Record<string, unknown> | null;
}

/** The clients of a round: they send requests, keep account of what they got, and close all connections at its end. */
export class Clients {
  readonly #pools = new Map<number, Pool>();
  readonly #prefix: string;
  readonly #round: number;
  readonly #onCall: (call: Call) => void;
  #sent = 0;

  constructor(prefix: string, round: number, onCall: (call: Call) => void) {
    this.#prefix = prefix;
    this.#round = round;
    this.#onCall = onCall;
  }

  async send(ask: Ask): Promise<Reply> {
    const { server, kind, tenant } = ask;
    this.#sent += 1;
    const id = `${this.#prefix}-${this.#sent}`;
    const life = server.life.id;
    const from = performance.now();
    const result = await this.#exchange(ask, id);
    const json = parsed(result.text);
    const verdict = verdictOf(kind, result, json);
    const call = { id, round: this.#round, tenant, kind, life, from, to: performance.now(), ...verdict };
    this.#onCall(call);
    return { call, status: result.status, text: result.text, json };
  }

  async #exchange(ask: Ask, id: string): Promise<Raw> {
    const { server, key, path, body, headers, leaveAfter } = ask;
    const signal = AbortSignal.timeout(Math.ceil(leaveAfter ?? patienceMs));
    let status: number | null = null;
    let text = '';
    try {
      const reply = await this.#pool(server).request({
        method: ask.method ?? (body ? 'POST' : 'GET'),
        path,
        signal,
        headers: {
          'x-request-id': id,
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body(id)) }),
      });
      status = reply.statusCode;
      reply.body.setEncoding('utf8');
      for await (const chunk of reply.body) text += chunk;
      return { status, text, whole: true };
    } catch {
      return { status, text, whole: false };
    }
  }

  #pool(server: Server): Pool {
    let pool = this.#pools.get(server.port);
    if (!pool) {
      pool = new Pool(server.origin, { connections: 128, headersTimeout: 0, bodyTimeout: 0 });
      this.#pools.set(server.port, pool);
    }
    return pool;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
    this.#pools.clear();
  }
}

interface Raw {
  readonly status: number | null;
  readonly text: string;
  readonly whole: boolean;
}

type Verdict = Pick<Call, 'outcome' | 'status' | 'code' | 'usage' | 'started'>;

/** What the client may take an answer for. */
function verdictOf(
  kind: Call['kind'],
  { status, text, whole }: Raw,
  json: Record<string, unknown> | null,
): Verdict {
  const nothing = { status, code: null, usage: null, started: null } as const;
  if (!whole || status === null) return { ...nothing, outcome: 'unsure' };
  if (status >= 400) return refusal(kind, status, codeIn(json));
  if (kind === 'stream' || (kind === 'agent' && json === null)) return ofStream(kind, status, text);
  if (kind === 'demo') {
    const last = eventsIn(text).at(-1);
    const started = typeof last?.['job_id'] === 'string' ? last['job_id'] : null;
    return { ...nothing, outcome: last?.['final'] === true ? 'success' : 'unsure', started };
  }
  if (json === null) return { ...nothing, outcome: kind === 'other' ? 'success' : 'unsure' };
  if (status === 202) return { ...nothing, outcome: 'success', started: String(json['id']) };
  if (kind === 'agent') return ofRun(status, json);
  return { ...nothing, outcome: 'success', usage: usageIn(json['usage']) };
}

function ofStream(kind: Call['kind'], status: number, text: string): Verdict {
  const last = eventsIn(text).at(-1);
  const nothing = { status, code: null, usage: null, started: null } as const;
  if (last?.['type'] === 'end') {
    const run = last['run'] as Record<string, unknown> | undefined;
    return run ? ofRun(status, run) : { ...nothing, outcome: 'success', usage: usageIn(last['usage']) };
  }
  if (last?.['type'] === 'error') return refusal(kind, status, codeIn(last));
  return { ...nothing, outcome: 'unsure' };
}

/**
 * A whole answer that says that it failed. Of a run that was lost sight of because the database failed nothing is said:
 * the run is a record of its own, and may have gone on.
 */
function refusal(kind: Call['kind'], status: number, code: string | null): Verdict {
  const lost = kind === 'agent' && code === 'storage_unavailable';
  return { status, code, usage: null, started: null, outcome: lost ? 'unsure' : 'refused' };
}

function ofRun(status: number, run: Record<string, unknown>): Verdict {
  const error = run['error'] as { code?: string } | null;
  const outcomes: Readonly<Record<string, Call['outcome']>> = { succeeded: 'success', running: 'unsure' };
  return {
    status,
    outcome: outcomes[String(run['status'])] ?? 'refused',
    code: error?.code ?? null,
    usage: usageIn(run['usage']),
    started: null,
  };
}

/** The JSON of every `data:` line. A last event that is cut off is left out. */
export function eventsIn(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => {
    const event = line.startsWith('data: ') ? parsed(line.slice(6)) : null;
    return event ? [event] : [];
  });
}

function codeIn(json: Record<string, unknown> | null): string | null {
  const error = json?.['error'] as { code?: unknown } | undefined;
  return typeof error?.code === 'string' ? error.code : null;
}

function usageIn(value: unknown): Usage | null {
  const usage = value as { prompt_tokens?: number; completion_tokens?: number } | null | undefined;
  if (usage?.prompt_tokens === undefined || usage.completion_tokens === undefined) return null;
  return { prompt: usage.prompt_tokens, completion: usage.completion_tokens };
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** A tenant with its limits and a key. */
export interface Account extends Tenant {
  readonly key: string;
}

/** Tenants of one round: their limits are met again in each. */
export const ofRound = (name: 'tight' | 'narrow', round: number) => `${name}-${round}`;

/** The tenant of clients that keep no account of what they send. */
export const anonymous = 'anonymous';

/** The tenant of clients that ask over sockets, where the server makes the ids of requests. */
export const onSockets = 'sockets';

/** Makes the tenants of a cluster and of its rounds. Throws when the server does not. */
export async function createAccounts(
  server: Server,
  password: string,
  rounds: readonly number[],
): Promise<Map<string, Account>> {
  const tenants: Tenant[] = [
    { id: 'wide', perMinute: null, concurrent: null },
    { id: 'flood', perMinute: null, concurrent: null },
    { id: 'modest', perMinute: null, concurrent: null },
    { id: anonymous, perMinute: null, concurrent: null },
    { id: onSockets, perMinute: null, concurrent: null },
    { id: 'minute', perMinute: 60, concurrent: null },
    ...rounds.flatMap((round) => [
      { id: ofRound('tight', round), perMinute: 10, concurrent: null },
      { id: ofRound('narrow', round), perMinute: null, concurrent: 3 },
    ]),
  ];
  const accounts = new Map<string, Account>();
  for (const tenant of tenants) {
    const overrides = { requests_per_minute: tenant.perMinute, concurrent_requests: tenant.concurrent };
    await administer(server, password, '/api/admin/tenants', {
      id: tenant.id,
      plan: 'enterprise',
      overrides,
    });
    const created = await administer(server, password, '/api/admin/keys', { tenant_id: tenant.id });
    accounts.set(tenant.id, { ...tenant, key: String(created['secret']) });
  }
  return accounts;
}

async function administer(
  server: Server,
  password: string,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const reply = await request(server.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${password}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    reset: true,
  });
  const text = await reply.body.text();
  if (reply.statusCode !== 201) throw new Error(`${path} answers ${reply.statusCode}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
