import { isDeepStrictEqual } from 'node:util';
import { sentSpecProblems } from '../plan/sent-spec.ts';
import type { Revised } from '../revise/revise.ts';
import type { AppSpec } from '../spec.ts';
import { jsonIn } from './blocks.ts';
import { Shortfall } from './budget.ts';
import { withOwnContacts } from './drafted.ts';
import { feedback, linesIn } from './feedback.ts';
import { readSpec } from './model-spec.ts';
import { revisionInstructions, revisionQuestion } from './prompts/revise.ts';
import { specCorrection } from './prompts/spec.ts';
import type { ModelSession } from './session.ts';

const tokens = 8000;

/**
 * Has the model carry out an instruction on a spec, and correct its answer once. What it says to have done counts only
 * where something has changed. Throws a `Shortfall`.
 * @param byRules what the rules have made of the same instruction
 * @param written whether a model has written the files of the app, so that they can change where the spec does not
 */
export async function reviseByModel(
  session: ModelSession,
  base: AppSpec,
  instruction: string,
  byRules: Revised,
  written = false,
): Promise<Revised> {
  const asked = (boundary: string) =>
    [
      { role: 'system', content: revisionInstructions },
      { role: 'user', content: revisionQuestion(base, instruction, byRules, written, boundary) },
    ] as const;
  const first = await session.ask({ name: 'revision', tokens, messages: asked });
  let read = readRevision(first.text, base);
  if (!read.revised) {
    const { problems } = read;
    const second = await session.ask({
      name: 'revision-corrected',
      boundary: first.boundary,
      tokens,
      messages: (boundary) => [
        ...asked(boundary),
        { role: 'assistant', content: first.text.slice(0, 16_000).trimEnd() || '{}' },
        { role: 'user', content: specCorrection(feedback(problems)) },
      ],
    });
    read = readRevision(second.text, base);
  }
  if (!read.revised) throw new Shortfall('plan');
  const { done, notUnderstood } = read.revised;
  const spec = withOwnContacts(read.revised.spec, [instruction, ...Object.values(base.contact)]);
  if (written || !isDeepStrictEqual(spec, base)) return { spec, done, notUnderstood };
  return { spec: base, done: [], notUnderstood: notUnderstood.length > 0 ? notUnderstood : [instruction] };
}

/** The revision in an answer, and what is wrong with it. */
export function readRevision(
  answer: string,
  base: AppSpec,
): { readonly revised: Revised | null; readonly problems: readonly string[] } {
  const found = jsonIn(answer);
  if (found === null || typeof found !== 'object' || Array.isArray(found))
    return { revised: null, problems: ['The answer is not a JSON object.'] };
  const { spec: given = found, done, not_done: notDone } = found as Readonly<Record<string, unknown>>;
  const { spec, problems } = readSpec(changed(base, given), base);
  if (spec === null || problems.length > 0) return { revised: null, problems };
  // What another kind cannot do without is filled in later.
  const unfit = spec.kind === base.kind ? sentSpecProblems(spec, { kind: spec.kind, prompt: false }) : [];
  if (unfit.length > 0)
    return { revised: null, problems: unfit.map(({ path, message }) => `${path} ${message}`) };
  return { revised: { spec, done: linesIn(done), notUnderstood: linesIn(notDone) }, problems };
}

/** Members that say nothing for an app of another kind. */
const ofKind: readonly (keyof AppSpec)[] = ['variant', 'features', 'settings', 'copy', 'formula', 'grid'];

/** What a model leaves out stays, but what belongs to the kind that it was. */
function changed(base: AppSpec, given: unknown): unknown {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return given;
  const kind = 'kind' in given ? given.kind : base.kind;
  const stays = Object.entries(base).filter(
    ([name]) => kind === base.kind || !ofKind.includes(name as keyof AppSpec),
  );
  return { ...Object.fromEntries(stays), ...given };
}
