import type { PlanOptions } from '../plan/options.ts';
import { type AppSpec, specProblems } from '../spec.ts';
import { feedback } from './feedback.ts';
import { jsonIn } from './json-in.ts';
import { listProblems } from './paths.ts';
import { specCorrection, specInstructions, specQuestion } from './prompts/spec.ts';
import type { ModelSession } from './session.ts';
import { Shortfall } from './shortfall.ts';

export interface FileToWrite {
  readonly path: string;
  readonly purpose: string;
}

export interface ModelSpec {
  readonly spec: AppSpec;
  /** In the order in which they are to be written. */
  readonly files: readonly FileToWrite[];
}

/** Files that every app has and no model writes. */
export const givenFiles = ['src/theme.css', 'src/kit/storage.js', 'README.md'] as const;

/** What an app is written as where no model says it. */
export const defaultFiles: readonly FileToWrite[] = [
  { path: 'index.html', purpose: 'the page' },
  { path: 'src/app.css', purpose: 'the look' },
  { path: 'src/app.js', purpose: 'the app' },
];

const tokens = 8000;

/** Has the model write the spec of the app, and correct it once. Throws a `Shortfall`. */
export async function specByModel(
  session: ModelSession,
  prompt: string,
  options: PlanOptions,
): Promise<ModelSpec> {
  const first = await session.ask({
    name: 'plan',
    tokens,
    messages: (boundary) => asked(prompt, options, boundary),
  });
  const read = readModelSpec(first.text, options);
  if (read.problems.length === 0 && read.modelSpec) return read.modelSpec;
  const second = await session.ask({
    name: 'plan-corrected',
    boundary: first.boundary,
    tokens,
    messages: (boundary) => [
      ...asked(prompt, options, boundary),
      { role: 'assistant', content: first.text.slice(0, 16_000).trimEnd() || '{}' },
      { role: 'user', content: specCorrection(feedback(read.problems)) },
    ],
  });
  const corrected = readModelSpec(second.text, options);
  const modelSpec = corrected.modelSpec ?? read.modelSpec;
  if (!modelSpec) throw new Shortfall('plan');
  return modelSpec;
}

function asked(prompt: string, options: PlanOptions, boundary: string) {
  return [
    { role: 'system', content: specInstructions },
    { role: 'user', content: specQuestion(prompt, kindIn(options), boundary, options.spec) },
  ] as const;
}

/** The spec in an answer, and what is wrong with it. A list of files that cannot be used does not spoil the spec. */
export function readModelSpec(
  answer: string,
  options: PlanOptions,
): { readonly modelSpec: ModelSpec | null; readonly problems: readonly string[] } {
  const kind = kindIn(options);
  const found = jsonIn(answer);
  if (found === null || typeof found !== 'object')
    return { modelSpec: null, problems: ['The answer is not a JSON object.'] };
  const { spec: given = found, files = [] } = found as { spec?: unknown; files?: unknown };
  const spec = mended(given);
  const problems = specProblems(spec);
  if (problems.length === 0 && kind !== undefined && (spec as AppSpec).kind !== kind)
    problems.push(`/kind must be ${kind}`);
  const listed = filesIn(files);
  const wrongFiles = listed
    ? listProblems(
        listed.map(({ path }) => path),
        givenFiles,
      )
    : ['files must be a list of {path, purpose}'];
  const usable = listed !== null && wrongFiles.length === 0;
  return {
    modelSpec:
      problems.length === 0 ? { spec: spec as AppSpec, files: usable ? listed : defaultFiles } : null,
    problems: [...problems, ...wrongFiles],
  };
}

const kindIn = ({ kind, spec }: PlanOptions) => spec?.kind ?? kind;

function filesIn(files: unknown): FileToWrite[] | null {
  if (!Array.isArray(files)) return null;
  const listed = files.slice(0, 40).map((entry: unknown) => {
    const { path, purpose } = (entry ?? {}) as { path?: unknown; purpose?: unknown };
    if (typeof path !== 'string') return null;
    return { path, purpose: typeof purpose === 'string' ? purpose.replace(/\s+/g, ' ').slice(0, 200) : '' };
  });
  return listed.every((entry) => entry !== null) ? listed : null;
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
  icon: '',
  formula: null,
  grid: null,
  choices: [],
  assumptions: [],
};

/** What a model leaves out because it is empty needs no second call, nor does a colour in capitals. */
export function mended(spec: unknown): unknown {
  if (spec === null || typeof spec !== 'object' || Array.isArray(spec)) return spec;
  const whole: Record<string, unknown> = { ...empty, ...spec };
  const { palette } = whole;
  if (palette && typeof palette === 'object' && 'accent' in palette && typeof palette.accent === 'string')
    whole['palette'] = { ...palette, accent: palette.accent.toLowerCase() };
  return whole;
}
