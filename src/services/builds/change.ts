import { isDeepStrictEqual } from 'node:util';
import type { ErrorDetail, RevisionRequest } from '../../../generated/types.gen.ts';
import { fieldError, type ServiceError } from '../../contract/errors.ts';
import { detailsOf } from '../../contract/problems.ts';
import {
  type AppSpec,
  familyOf,
  keepsThings,
  keyedLike,
  maxSpecBytes,
  newProblems,
  type PlanOptions,
  type SentSpec,
  schemaProblems,
  soundSeed,
  type TemplateName,
} from '../../factory/factory.ts';
import { merged, patched } from '../../lib/json.ts';
import {
  JsonPatchError,
  type JsonPatchOperation,
  jsonPatchStates,
  lastChangeAt,
} from '../../lib/json-patch.ts';
import type { Build, Change } from './build.ts';
import {
  instructionNotUnderstood,
  instructionRefused,
  invalidPatchedSpec,
  invalidSpec,
  notPatchable,
  notRevisable,
} from './build-errors.ts';
import type { ToolSlots } from './slots.ts';

export interface Revising {
  readonly options: PlanOptions;
  readonly change: Change;
}

interface ChangeParts {
  readonly toolSlots: ToolSlots;
  /** Whether a model carries instructions out. */
  readonly byModel: boolean;
  readonly revision: (number: number) => Promise<Build | null>;
}

const silent = { understood: [], notUnderstood: [] };

/** The outcome of a request to change a build. Throws `ServiceError` for one that leads to no valid spec. */
export async function revising(base: Build, request: RevisionRequest, parts: ChangeParts): Promise<Revising> {
  const { options, change } = await asked(base, request, parts);
  const family = base.options.family ?? familyOf(specOf(base), base.root_id);
  return { options: { ...options, family }, change };
}

async function asked(base: Build, request: RevisionRequest, parts: ChangeParts): Promise<Revising> {
  const spec = specOf(base);
  if (request.instruction !== undefined) return instructed(base, request.instruction, parts);
  if (request.restore !== undefined) return restored(base, request.restore, parts);
  if (request.json_patch !== undefined)
    return effective('json_patch', base, byJsonPatch(spec, request.json_patch));
  if (request.patch !== undefined) {
    const whole = patched(spec, request.patch);
    return effective(
      'patch',
      base,
      byPatch(spec, whole, (problems) => invalidSpec(problems, 'patch')),
    );
  }
  const given = request.spec ?? {};
  const refusal: Refusal = (problems) => invalidSpec(problems, 'spec');
  return effective('spec', base, {
    options: changed(spec, merged(spec, given) as SentSpec, refusal, given),
    change: { type: 'spec', ...silent },
  });
}

/**
 * Throws for a change that leaves the spec as it is: it would cost a build that shows nothing new. An app that may not be what was asked for
 * is accepted by one.
 */
function effective(
  member: 'instruction' | 'spec' | 'patch' | 'json_patch',
  base: Build,
  made: Revising,
): Revising {
  if (isEffective(base, made)) return made;
  throw fieldError(member, 'no_change', 'changes nothing: the app is like this already');
}

const isEffective = (base: Build, { options }: Revising): boolean =>
  Boolean(base.state.plan?.unserved) || !isDeepStrictEqual(options.spec, specOf(base));

function byJsonPatch(base: AppSpec, operations: readonly JsonPatchOperation[]): Revising {
  const states = statesOf(base, operations);
  return byPatch(base, states.at(-1), (problems) =>
    invalidPatchedSpec(problems, (place) => lastChangeAt(states, operations, place)),
  );
}

function statesOf(base: AppSpec, operations: readonly JsonPatchOperation[]): readonly unknown[] {
  try {
    return jsonPatchStates(base, operations, 2 * maxSpecBytes);
  } catch (error) {
    throw error instanceof JsonPatchError ? notPatchable(error) : error;
  }
}

type Refusal = (problems: readonly ErrorDetail[]) => ServiceError;

function byPatch(base: AppSpec, whole: unknown, refusal: Refusal): Revising {
  const problems = schemaProblems(whole);
  if (problems.length > 0) throw refusal(detailsOf(problems));
  return { options: changed(base, whole as SentSpec, refusal), change: { type: 'patch', ...silent } };
}

/** @param given what was asked to change, where other members are only the base's */
function changed(base: AppSpec, whole: SentSpec, refusal: Refusal, given: SentSpec = whole): PlanOptions {
  const { kind = base.kind } = whole;
  const fields = whole.entity && keyedLike(whole.entity.fields, base.entity?.fields ?? []);
  const entity = whole.entity && fields ? { ...whole.entity, fields } : whole.entity;
  const seedIsBases = given === whole ? same(whole.seed, base.seed) : given.seed === undefined;
  const draft: SentSpec = {
    ...whole,
    ...(entity !== undefined && { entity }),
    ...(whole.seed && { seed: seedIsBases ? soundSeed(whole.seed, fields ?? []) : whole.seed }),
  };
  const next = kind === base.kind ? draft : ofOtherKind(base, draft, kind);
  const problems = newProblems(base, next, kind);
  if (problems.length > 0) throw refusal(problems);
  return { kind, spec: next, settled: true };
}

/** The new kind fills in the members that belonged to the old one, unless the request gives them. */
function ofOtherKind(base: AppSpec, draft: SentSpec, kind: TemplateName): SentSpec {
  const left = Object.entries(draft).filter(([name, value]) => {
    const ofKind = belongsToKind.has(name) || (keptThings.has(name) && !keepsThings(kind, draft.variant));
    return !(ofKind && same(value, base[name as keyof AppSpec])) && !(name === 'entity' && value === null);
  });
  return Object.fromEntries(left) as SentSpec;
}

const belongsToKind: ReadonlySet<string> = new Set([
  'variant',
  'features',
  'settings',
  'copy',
  'formula',
  'grid',
]);
const keptThings: ReadonlySet<string> = new Set(['entity', 'seed']);

async function instructed(
  build: Build,
  instruction: string,
  { toolSlots, byModel }: ChangeParts,
): Promise<Revising> {
  const base = specOf(build);
  const { spec, done, notUnderstood, isRefusal } = await toolSlots.use((tools) =>
    tools.revise(base, instruction),
  );
  const options = { kind: spec.kind, spec, settled: true };
  const change = { type: 'instruction', instruction, understood: done, notUnderstood } as const;
  if (byModel)
    return {
      options: { ...options, instructed: { instruction, base, byRules: { done, notUnderstood } } },
      change,
    };
  if (done.length === 0 && notUnderstood.length === 0)
    throw fieldError('instruction', 'no_change', 'asks for no change');
  const made = { options, change };
  if (notUnderstood.length === 0) return effective('instruction', build, made);
  if (done.length === 0 || !isEffective(build, made))
    throw isRefusal ? instructionRefused(notUnderstood) : instructionNotUnderstood(notUnderstood);
  return made;
}

async function restored(base: Build, number: number, { revision }: ChangeParts): Promise<Revising> {
  const earlier = number < base.revision ? await revision(number) : null;
  if (earlier === null) throw fieldError('restore', 'unknown', 'is not the number of an earlier revision');
  const spec = earlier.state.plan?.spec;
  if (!spec) throw fieldError('restore', 'gone', 'is the number of a revision whose spec has been deleted');
  return {
    options: { kind: spec.kind, spec, settled: true },
    change: { type: 'restore', restored: number, ...silent },
  };
}

function specOf({ state }: Build): AppSpec {
  if (!state.plan?.spec)
    throw notRevisable('The build is from version 1.0, which kept no specs. Build it again.');
  return state.plan.spec;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
