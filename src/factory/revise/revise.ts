import type { AppSpec } from '../spec.ts';

export interface Revised {
  readonly spec: AppSpec;
  /** What was done, in words for people. */
  readonly done: readonly string[];
  /** Parts of the instruction that were not understood. */
  readonly notUnderstood: readonly string[];
}

/** Carries out an instruction on a spec, by rules. */
export function revise(spec: AppSpec, instruction: string): Revised {
  const name = /^\s*(?:please )?(?:call|name) it ["“]?(.+?)["”]?[.!]?\s*$/iu.exec(instruction)?.[1];
  if (name === undefined) return { spec, done: [], notUnderstood: [instruction] };
  return { spec: { ...spec, name: name.slice(0, 60) }, done: [`It is called “${name}”.`], notUnderstood: [] };
}
