import type { TemplateId } from '../../../generated/types.gen.ts';
import type { PlanOptions } from '../../factory/plan/options.ts';
import { type SentSpec, sentSpecProblems } from '../../factory/plan/sent-spec.ts';
import { invalidSpec, promptOf } from './build-errors.ts';

/** What is to be built: a prompt, a spec, or both. */
export interface BuildRequest {
  readonly prompt?: string;
  readonly spec?: SentSpec;
  readonly template_id?: TemplateId;
}

/** The same as it is kept. */
export interface Asked {
  /** Empty where a spec alone was sent. */
  readonly prompt: string;
  readonly options: PlanOptions;
}

/** Throws `ServiceError` for a prompt or a spec that cannot be built from. */
export function askedFor({ prompt, spec, template_id: kind }: BuildRequest): Asked {
  const options = kind === undefined ? {} : { kind };
  if (spec === undefined) return { prompt: promptOf(prompt ?? ''), options };
  const problems = sentSpecProblems(spec, { kind: kind ?? null, prompt: prompt !== undefined });
  if (problems.length > 0) throw invalidSpec(problems, 'spec');
  return { prompt: prompt === undefined ? '' : promptOf(prompt), options: { ...options, spec } };
}
