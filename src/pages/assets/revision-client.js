import { refusalOf } from './refusal.js';

/**
 * @typedef {import('../../../generated/types.gen.ts').FactoryJob} FactoryJob
 * @typedef {import('../../../generated/types.gen.ts').FactoryPlan} FactoryPlan
 * @typedef {import('../../../generated/types.gen.ts').FactoryDiff} FactoryDiff
 * @typedef {import('../../../generated/types.gen.ts').FileList} FileTexts
 * @typedef {{ instruction: string } | { patch: unknown } | { spec: unknown } | { restore: number }} Change
 */

const base = '/api/factory/public-demo';

/*
 * All of them throw `Refusal`, and `TypeError` when the server cannot be reached.
 */

/** @param {string} jobId @returns {Promise<FactoryJob>} */
export const recordOf = (jobId) => asked(`${base}/${jobId}`);

/** The revisions of an app, newest first. @param {string} jobId @returns {Promise<{ data: readonly FactoryJob[] }>} */
export const revisionsOf = (jobId) => asked(`${base}/${jobId}/revisions?limit=100`);

/**
 * What differs from another revision of the same app.
 * @param {string} jobId
 * @param {number} against its number
 * @returns {Promise<FactoryDiff>}
 */
export const diffOf = (jobId, against) => asked(`${base}/${jobId}/diff?against=${against}`);

/** @param {string} jobId @returns {Promise<FileTexts>} */
export const filesOf = (jobId) => asked(`${base}/${jobId}/files`);

/**
 * What would be built.
 * @param {{ prompt?: string, spec?: unknown, template_id?: string }} body
 * @returns {Promise<FactoryPlan>}
 */
export const planOf = (body) =>
  asked('/api/factory/plan', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/**
 * What the form of a plan is made from.
 * @param {string} address
 * @returns {Promise<import('./plan-schema.js').PlanForms>}
 */
export const formsAt = (address) => asked(address);

/**
 * @param {string} address
 * @param {RequestInit} [init]
 */
async function asked(address, init) {
  const response = await fetch(address, {
    ...init,
    headers: { accept: 'application/json', ...init?.headers },
  });
  if (!response.ok) throw await refusalOf(response);
  return response.json();
}
