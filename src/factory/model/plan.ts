import type { PlanOptions } from '../planner/plan.ts';
import { type AppSpec, specProblems } from '../spec.ts';
import { feedback } from './feedback.ts';
import { jsonIn } from './json-in.ts';
import { planProblems } from './paths.ts';
import { planCorrection, planInstructions, planQuestion } from './prompts/plan.ts';
import type { ModelSession } from './session.ts';
import { Shortfall } from './shortfall.ts';

export interface PlannedFile {
  readonly path: string;
  readonly purpose: string;
}

export interface ModelPlan {
  readonly spec: AppSpec;
  /** In the order in which they are to be written. */
  readonly files: readonly PlannedFile[];
}

/** Files that every app has and no model writes. */
export const givenFiles = ['src/theme.css', 'src/kit/storage.js', 'README.md'] as const;

const defaultFiles: readonly PlannedFile[] = [
  { path: 'index.html', purpose: 'the page' },
  { path: 'src/app.css', purpose: 'the look' },
  { path: 'src/app.js', purpose: 'the app' },
];

const tokens = 8000;

/** Has the model plan the app, and correct its plan once. Throws a `Shortfall`. */
export async function planWithModel(
  session: ModelSession,
  prompt: string,
  options: PlanOptions,
): Promise<ModelPlan> {
  const first = await session.ask({
    name: 'plan',
    tokens,
    messages: (boundary) => asked(prompt, options, boundary),
  });
  const read = readPlan(first.text, options);
  if (read.problems.length === 0 && read.plan) return read.plan;
  const second = await session.ask({
    name: 'plan-corrected',
    boundary: first.boundary,
    tokens,
    messages: (boundary) => [
      ...asked(prompt, options, boundary),
      { role: 'assistant', content: first.text.slice(0, 16_000).trimEnd() || '{}' },
      { role: 'user', content: planCorrection(feedback(read.problems)) },
    ],
  });
  const corrected = readPlan(second.text, options);
  const plan = corrected.plan ?? read.plan;
  if (!plan) throw new Shortfall('plan');
  return plan;
}

function asked(prompt: string, { kind }: PlanOptions, boundary: string) {
  return [
    { role: 'system', content: planInstructions },
    { role: 'user', content: planQuestion(prompt, kind, boundary) },
  ] as const;
}

/** The plan in an answer, and what is wrong with it. A list of files that cannot be used does not spoil the spec. */
export function readPlan(
  answer: string,
  { kind }: PlanOptions,
): { readonly plan: ModelPlan | null; readonly problems: readonly string[] } {
  const found = jsonIn(answer);
  if (found === null || typeof found !== 'object')
    return { plan: null, problems: ['The answer is not a JSON object.'] };
  const { spec: given = found, files = [] } = found as { spec?: unknown; files?: unknown };
  const spec = mended(given);
  const problems = specProblems(spec);
  if (problems.length === 0 && kind !== undefined && (spec as AppSpec).kind !== kind)
    problems.push(`/kind must be ${kind}`);
  const planned = plannedIn(files);
  const wrongFiles = planned
    ? planProblems(
        planned.map(({ path }) => path),
        givenFiles,
      )
    : ['files must be a list of {path, purpose}'];
  const usable = planned !== null && wrongFiles.length === 0;
  return {
    plan: problems.length === 0 ? { spec: spec as AppSpec, files: usable ? planned : defaultFiles } : null,
    problems: [...problems, ...wrongFiles],
  };
}

function plannedIn(files: unknown): PlannedFile[] | null {
  if (!Array.isArray(files)) return null;
  const planned = files.slice(0, 40).map((entry: unknown) => {
    const { path, purpose } = (entry ?? {}) as { path?: unknown; purpose?: unknown };
    if (typeof path !== 'string') return null;
    return { path, purpose: typeof purpose === 'string' ? purpose.replace(/\s+/g, ' ').slice(0, 200) : '' };
  });
  return planned.every((entry) => entry !== null) ? planned : null;
}

const empty = {
  v: 1,
  variant: '',
  tagline: '',
  currency: 'USD',
  entity: null,
  features: [],
  seed: [],
  sections: [],
  questions: [],
  hours: [],
  contact: {},
  settings: {},
  copy: {},
  assumptions: [],
};

/** What a model leaves out because it is empty needs no second call, nor does a colour in capitals. */
function mended(spec: unknown): unknown {
  if (spec === null || typeof spec !== 'object' || Array.isArray(spec)) return spec;
  const whole: Record<string, unknown> = { ...empty, ...spec };
  const { palette } = whole;
  if (palette && typeof palette === 'object' && 'accent' in palette && typeof palette.accent === 'string')
    whole['palette'] = { ...palette, accent: palette.accent.toLowerCase() };
  return whole;
}
