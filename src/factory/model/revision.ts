import type { Instructed } from '../plan/options.ts';
import { sentSpecProblems } from '../plan/sent-spec.ts';
import { type AppSpec, specProblems } from '../spec.ts';
import { feedback } from './feedback.ts';
import { jsonIn } from './json-in.ts';
import { mended } from './model-spec.ts';
import { revisionInstructions, revisionQuestion } from './prompts/revise.ts';
import { specCorrection } from './prompts/spec.ts';
import type { ModelSession } from './session.ts';
import { Shortfall } from './shortfall.ts';

/** A spec as a model has changed it. */
export interface ModelRevision {
  readonly spec: AppSpec;
  readonly understood: readonly string[];
  readonly notUnderstood: readonly string[];
}

const tokens = 8000;

/** Has the model carry out an instruction, and correct its answer once. Throws a `Shortfall`. */
export async function revisedByModel(
  session: ModelSession,
  { base, instruction }: Instructed,
): Promise<ModelRevision> {
  const asked = (boundary: string) =>
    [
      { role: 'system', content: revisionInstructions },
      { role: 'user', content: revisionQuestion(base, instruction, boundary) },
    ] as const;
  const first = await session.ask({ name: 'revision', tokens, messages: asked });
  const read = readRevision(first.text);
  if (read.revision) return read.revision;
  const second = await session.ask({
    name: 'revision-corrected',
    boundary: first.boundary,
    tokens,
    messages: (boundary) => [
      ...asked(boundary),
      { role: 'assistant', content: first.text.slice(0, 16_000).trimEnd() || '{}' },
      { role: 'user', content: specCorrection(feedback(read.problems)) },
    ],
  });
  const corrected = readRevision(second.text).revision;
  if (!corrected) throw new Shortfall('plan');
  return corrected;
}

/** The revision in an answer, and what is wrong with it. */
export function readRevision(answer: string): {
  readonly revision: ModelRevision | null;
  readonly problems: readonly string[];
} {
  const found = jsonIn(answer);
  if (found === null || typeof found !== 'object' || Array.isArray(found))
    return { revision: null, problems: ['The answer is not a JSON object.'] };
  const { spec: given = found, done, not_done: notDone } = found as Record<string, unknown>;
  const spec = mended(given);
  const problems = specProblems(spec);
  if (problems.length > 0) return { revision: null, problems };
  const others = sentSpecProblems(spec as AppSpec, { kind: null, prompt: false });
  if (others.length > 0)
    return { revision: null, problems: others.map(({ path, message }) => `${path} ${message}`) };
  return {
    revision: { spec: spec as AppSpec, understood: linesIn(done), notUnderstood: linesIn(notDone) },
    problems,
  };
}

/** What a model says to people: a few short lines. */
function linesIn(value: unknown): string[] {
  const lines = Array.isArray(value) ? value : [];
  return lines
    .filter((line) => typeof line === 'string')
    .map((line) =>
      line
        .replace(/[\p{Cc}\s]+/gu, ' ')
        .trim()
        .slice(0, 200),
    )
    .filter((line) => line !== '')
    .slice(0, 8);
}
