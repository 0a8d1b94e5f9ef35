import type {
  FactoryDiff,
  FactoryJob,
  FactoryPlan,
  FileList as FileTexts,
} from '../../../generated/types.gen.ts';
import type { PlanForms } from './plan-schema.ts';
import { refusalOf } from './refusal.ts';

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
 * What differs from another revision of the same app.
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
