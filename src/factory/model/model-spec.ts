import type { PlanOptions } from '../builder.ts';
import { kindOfApp } from '../catalogue.ts';
import { withIcon } from '../icons/icon-for.ts';
import { type Design, designIn } from '../plan/design.ts';
import { sentSpecProblems } from '../plan/sent-spec.ts';
import type { Reading } from '../read/draft.ts';
import { type AppSpec, specProblems, templateNames } from '../spec.ts';
import { listProblems } from '../verify/paths.ts';
import { jsonIn } from './blocks.ts';
import { Shortfall } from './budget.ts';
import { filledIn, withOwnContacts } from './drafted.ts';
import { feedback, linesIn } from './feedback.ts';
import { specCorrection, specInstructions, specQuestion } from './prompts/spec.ts';
import type { ModelSession } from './session.ts';

export interface FileToWrite {
  readonly path: string;
  readonly purpose: string;
}

/** What does the main job of what was asked for: a template, only files of its own, or no page at all. */
export type ServedBy = (typeof servers)[number];
const servers = ['template', 'files', 'nothing'] as const;

export interface ModelSpec {
  readonly spec: AppSpec;
  /** In the order in which they are to be written. */
  readonly files: readonly FileToWrite[];
  readonly servedBy: ServedBy;
  /** What was asked for and the app will not have, as the model says it. */
  readonly notDone: readonly string[];
  /** What it says beside the spec. */
  readonly design: Design;
  /** The members of the spec that it has said itself; all others are filled in for the templates. */
  readonly said: readonly string[];
}

/** Files that every app has and no model writes. */
export const givenFiles = [
  'src/theme.css',
  'src/kit/base.css',
  'src/kit/storage.js',
  'src/kit/tools.js',
  'README.md',
] as const;

/** What an app is written as where no model says it. */
export const defaultFiles: readonly FileToWrite[] = [
  { path: 'index.html', purpose: 'the page' },
  { path: 'src/app.css', purpose: 'the look' },
  { path: 'src/app.js', purpose: 'the app' },
];

const tokens = 8000;

/**
 * Has the model write the spec of the app out of the draft by rules, and correct it once. Throws a `Shortfall`.
 * @param draft what the rules have read in the prompt
 */
export async function specByModel(
  session: ModelSession,
  prompt: string,
  options: PlanOptions,
  draft: Reading,
): Promise<ModelSpec> {
  const asked = (boundary: string) =>
    [
      { role: 'system', content: specInstructions },
      {
        role: 'user',
        content: specQuestion(prompt, { kind: kindIn(options), given: options.spec, draft }, boundary),
      },
    ] as const;
  const own = ({ spec, ...others }: ModelSpec): ModelSpec => ({
    ...others,
    spec: withOwnContacts(spec, [prompt, ...Object.values(options.spec?.contact ?? {})]),
  });
  const first = await session.ask({ name: 'plan', tokens, messages: asked });
  const read = readModelSpec(first.text, options, draft);
  if (read.problems.length === 0 && read.modelSpec) return own(read.modelSpec);
  const second = await session.ask({
    name: 'plan-corrected',
    boundary: first.boundary,
    tokens,
    messages: (boundary) => [
      ...asked(boundary),
      { role: 'assistant', content: first.text.slice(0, 16_000).trimEnd() || '{}' },
      { role: 'user', content: specCorrection(feedback(read.problems)) },
    ],
  });
  const corrected = readModelSpec(second.text, options, draft);
  const modelSpec = corrected.modelSpec ?? read.modelSpec;
  if (!modelSpec) throw new Shortfall('plan');
  return own(modelSpec);
}

/** The spec in an answer, and what is wrong with it. A list of files that cannot be used does not spoil the spec. */
export function readModelSpec(
  answer: string,
  options: PlanOptions,
  draft: Reading | null = null,
): { readonly modelSpec: ModelSpec | null; readonly problems: readonly string[] } {
  const kind = kindIn(options);
  const found = jsonIn(answer);
  if (found === null || typeof found !== 'object')
    return { modelSpec: null, problems: ['The answer is not a JSON object.'] };
  const {
    spec: given = found,
    files = [],
    served_by: servedBy,
    not_done: notDone,
  } = found as Readonly<Record<string, unknown>>;
  const { spec, problems } = readSpec(standingIn(given, draft), draft?.spec ?? null);
  if (kind !== undefined && spec !== null && spec.kind !== kind) problems.push(`/kind must be ${kind}`);
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
      spec !== null && problems.length === 0
        ? {
            spec: withIcon(spec),
            files: usable ? listed : defaultFiles,
            // Whoever does not say it has not taken the draft's doubt away.
            servedBy: servers.find((one) => one === servedBy) ?? (draft?.unserved ? 'files' : 'template'),
            notDone: linesIn(notDone),
            design: designIn(found as Readonly<Record<string, unknown>>),
            said: Object.keys(given as object),
          }
        : null,
    problems: [...problems, ...wrongFiles],
  };
}

/**
 * A would-be spec of no kind becomes one of the kind whose template stands in: that of the draft, if the spec has what it needs.
 */
function standingIn(given: unknown, draft: Reading | null): unknown {
  if (given === null || typeof given !== 'object' || !('kind' in given)) return given;
  if (given.kind !== 'none' && given.kind !== '') return given;
  const has = (member: string) => (given as Readonly<Record<string, unknown>>)[member] != null;
  const candidates = [...(draft ? [draft.spec.kind] : []), 'notes' as const, ...templateNames];
  const kind = candidates.find((one) => kindOfApp(one).needs.every(has));
  return { ...given, kind, variant: '' };
}

/** A would-be spec made whole, and what is wrong with it: null when it is no spec at all. */
export function readSpec(
  given: unknown,
  draft: AppSpec | null,
): { readonly spec: AppSpec | null; readonly problems: string[] } {
  const filled = filledIn(given, draft);
  const problems = specProblems(filled);
  if (problems.length > 0) return { spec: null, problems };
  const spec = filled as AppSpec;
  // What a kind cannot do without is filled in later.
  const unfit = sentSpecProblems(spec, { kind: null, prompt: true }).filter(
    ({ path, code }) => path.startsWith('formula') || code === 'characters' || code === 'size',
  );
  return { spec, problems: unfit.map(({ path, message }) => `${path} ${message}`) };
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
