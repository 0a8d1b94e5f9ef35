import type {
  FactoryDiff,
  FactoryJob,
  FactoryPlan,
  FileList as FileTexts,
} from '../../../generated/types.gen.ts';
import type { PlanForms } from './plan-schema.ts';

export type Detail = { path: string; code: string; message: string };

/** An answer of the server that is not the stream that was asked for. */
export class Refusal extends Error {
  readonly status: number;
  /** When it may be asked again, from now. */
  readonly retryAfterMs: number | null;
  readonly details: readonly Detail[];

  constructor({ status, headers }: Response, message: string, details: readonly Detail[]) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs(headers.get('retry-after'));
    this.details = details;
  }

  /** Whether the same request may be answered later. */
  get passing() {
    return this.status === 429 || this.status >= 500;
  }
}

/** The error in a reply, also in one that came not from our server but from something before it. */
export async function refusalOf(response: Response) {
  const body = await response.json().catch(() => null);
  const { message, details } = body?.error ?? {};
  const text =
    typeof message === 'string'
      ? message.charAt(0).toUpperCase() + message.slice(1)
      : `The server answered with status ${response.status}.`;
  return new Refusal(response, text, Array.isArray(details) ? details.map(detailOf) : []);
}

function detailOf(detail: Partial<Record<keyof Detail, unknown>> | null) {
  const { path, code, message } = detail ?? {};
  return { path: String(path ?? ''), code: String(code ?? ''), message: String(message ?? '') };
}

/** Retry-After in seconds or as a date (RFC 9110 section 10.2.3), at most an hour. */
function retryAfterMs(value: string | null) {
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), 3_600_000);
}

export type Change = { instruction: string } | { patch: unknown } | { spec: unknown } | { restore: number };

const base = '/api/factory/public-demo';

/*
 * All of them throw `Refusal`, and `TypeError` when the server cannot be reached.
 */

export const recordOf = (jobId: string): Promise<FactoryJob> => asked(`${base}/${jobId}`);

/** The revisions of an app, newest first. */
export const revisionsOf = (jobId: string): Promise<{ data: readonly FactoryJob[] }> =>
  asked(`${base}/${jobId}/revisions?limit=100`);

/**
 * The differences from another revision of the same app.
 * @param against its number
 */
export const diffOf = (jobId: string, against: number): Promise<FactoryDiff> =>
  asked(`${base}/${jobId}/diff?against=${against}`);

export const filesOf = (jobId: string): Promise<FileTexts> => asked(`${base}/${jobId}/files`);

export const planOf = (body: {
  prompt?: string;
  spec?: unknown;
  template_id?: string;
}): Promise<FactoryPlan> =>
  asked('/api/factory/plan', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

export const formsAt = (address: string): Promise<PlanForms> => asked(address);

async function asked(address: string, init?: RequestInit) {
  const response = await fetch(address, {
    ...init,
    headers: { accept: 'application/json', ...init?.headers },
  });
  if (!response.ok) throw await refusalOf(response);
  return response.json();
}
