import type { RevisionRequest } from '../../../../generated/types.gen.ts';
import { ServiceError } from '../../../../src/contract/errors.ts';
import { plan } from '../../../../src/factory/plan/complete-spec.ts';
import { sentSpecProblems } from '../../../../src/factory/plan/sent-spec.ts';
import { revise } from '../../../../src/factory/revise/revise.ts';
import { type AppSpec, specProblems, type TemplateName } from '../../../../src/factory/spec.ts';
import type { Build } from '../../../../src/services/builds/build.ts';
import { revising } from '../../../../src/services/builds/change.ts';
import type { ToolSlots } from '../../../../src/services/builds/slots.ts';
import type { Wish } from '../checks.ts';
import type { Reading } from '../prompt-set.ts';
import { type PromptEntry, promptLangOf } from '../prompt-set.ts';
import { type Row, scoredRow } from '../report.ts';
import { askByForm } from './by-form.ts';
import { askByInstruction, phrasesOf } from './by-instruction.ts';

/** How somebody changes a result. `both`: in plain words first, and by the form where that did not do. */
export const ways = ['form', 'instruction', 'both'] as const;
export type Way = (typeof ways)[number];

export const maxChanges = 3;

/** A prompt with what came of it at first and after each change, and what was asked for. */
export interface ChangedRow {
  /** The first result, then one after each change; a later one is missing where there was nothing left to ask for. */
  readonly rows: readonly Row[];
  readonly asked: readonly (string | object)[];
  /** What could not be asked for, as there is no control or no saying for it. */
  readonly left: readonly Wish[];
  /** What the product refused or did not understand. */
  readonly refused: readonly string[];
}

type Result = Reading & { readonly spec: AppSpec };

/**
 * Changes a result until it is right, three times at most, as somebody on the page would who knows what they want and
 * nothing of how the product works.
 */
export async function changed(entry: PromptEntry, first: Result, way: Way): Promise<ChangedRow> {
  let result = first;
  const rows = [scoredRow(entry, first)];
  const asked: (string | object)[] = [];
  const refused: string[] = [];
  let left: readonly Wish[] = [];
  if (first.doubt && !entry.expect.unserved) {
    const kind = kindChosen(entry, first);
    asked.push({ kind });
    const { spec, notTakenUp } = plan(entry.prompt, { kind });
    result = { spec, notTakenUp, unserved: null };
    rows.push(scoredRow(entry, result));
  }
  for (let count = asked.length; count < maxChanges; count++) {
    const { wishes, verdict } = rows.at(-1)?.score ?? { wishes: [], verdict: 'right' };
    if (verdict === 'right') return { rows, asked, left: [], refused };
    const request = requestFor(way, count, result.spec, wishes, entry);
    left = request.left;
    if (request.change === null) break;
    asked.push(request.change.instruction ?? { ...request.change.patch });
    const answer = await answered(result, request.change, entry);
    refused.push(...answer.refused);
    result = answer.result;
    rows.push(scoredRow(entry, result));
  }
  return { rows, asked, left: rows.at(-1)?.score.verdict === 'right' ? [] : left, refused };
}

/** The answer to the question of the page: one of its cards, or else what the form of the plan offers. */
function kindChosen({ expect }: PromptEntry, { choices = [] }: Reading): TemplateName {
  const wanted = expect.kind as readonly TemplateName[];
  return wanted.find((kind) => choices.includes(kind)) ?? (wanted[0] as TemplateName);
}

interface Request {
  readonly change: RevisionRequest | null;
  readonly left: readonly Wish[];
}

function requestFor(
  way: Way,
  count: number,
  spec: AppSpec,
  wishes: readonly Wish[],
  entry: PromptEntry,
): Request {
  // What only an answer can tell, nobody looks for in a form.
  const asksToBeTold = way === 'both' && wishes.every(({ sort }) => sort === 'told');
  if (way === 'instruction' || asksToBeTold || (way === 'both' && count === 0)) {
    const { change, left } = askByInstruction(spec, wishes, entry, count);
    if (change !== null || way === 'instruction')
      return { change: change === null ? null : { instruction: change }, left };
  }
  const { change, left } = askByForm(spec, wishes, entry);
  return {
    change: change === null ? null : { patch: change as NonNullable<RevisionRequest['patch']> },
    left,
  };
}

/** The tools of revisions, without the threads that they run in. */
const toolSlots = {
  use: (work: (tools: unknown) => unknown) =>
    work({ revise: async (spec: AppSpec, instruction: string) => revise(spec, instruction) }),
} as unknown as ToolSlots;

interface Answer {
  readonly result: Result;
  readonly refused: readonly string[];
}

/** What the product makes of a change, by the code that makes revisions. A refused change leaves everything as it was. */
async function answered(before: Result, request: RevisionRequest, entry: PromptEntry): Promise<Answer> {
  const base = {
    options: {},
    root_id: 'scored',
    state: { plan: { spec: before.spec, unserved: before.unserved ?? before.doubt } },
  } as unknown as Build;
  try {
    const { options, change } = await revising(base, request, {
      toolSlots,
      byModel: false,
      revision: async () => null,
    });
    const { spec } = plan('', options);
    const problems = [
      ...specProblems(spec),
      ...sentSpecProblems(spec, { kind: null, prompt: false }).map(
        ({ path, message }) => `${path} ${message}`,
      ),
    ];
    if (problems.length > 0) throw new Error(`A change led to no valid spec: ${problems.join('; ')}`);
    return {
      result: told({ ...before, spec, unserved: null, doubt: null }, change.notUnderstood, entry),
      refused: change.notUnderstood,
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const messages = (error.details ?? []).map(({ path, message }) => `${path} ${message}`);
    return { result: told(before, messages, entry), refused: messages };
  }
}

/** What was asked for and is refused with the word that no app can do it has been told. */
function told(result: Result, answers: readonly string[], entry: PromptEntry): Result {
  const { refuses } = phrasesOf(promptLangOf(entry));
  const said = answers.filter((answer) => refuses.some((words) => answer.includes(words)));
  if (said.length === 0) return result;
  const unserved = entry.expect.unserved ? said.join('; ') : result.unserved;
  return { ...result, notTakenUp: [...result.notTakenUp, ...said], unserved };
}
