import type { BuildReporter } from '../build-reporter.ts';
import type { Problem } from '../problem.ts';
import type { Verification } from '../verify/verify.ts';
import { writtenBlock } from './blocks.ts';
import { Shortfall } from './budget.ts';
import { framedProblems, signatureOf } from './feedback.ts';
import { askForFiles } from './generate.ts';
import { codeInstructions, repairQuestion, type ToWrite } from './prompts/code.ts';
import type { ModelSession } from './session.ts';

/** Rounds of repair before a build goes down to the templates. */
export const maxRounds = 2;
const tokens = 16_000;

/** Files with what the checks say of them. */
export interface Candidate {
  readonly files: ReadonlyMap<string, string>;
  readonly verification: Verification;
  readonly errors: readonly Problem[];
}

/** Files that passed every check, and their page. */
export interface Sound extends Candidate {
  readonly html: string;
}

/**
 * Checks the files and has the model repair those that do not pass. Each round begins from the best files so far, and
 * a round that ends where another did is the last. Throws a `Shortfall` when the files are not sound in the end.
 * @param own the paths that the model may write
 */
export async function verifiedOrRepaired(
  session: ModelSession,
  reporter: BuildReporter,
  files: ReadonlyMap<string, string>,
  plan: ToWrite,
  own: readonly string[],
): Promise<Sound> {
  let best = await checked(reporter, files, plan);
  const seen = new Set([signatureOf(best.errors)]);
  for (let round = 1; round <= maxRounds; round++) {
    const sound = soundOf(best);
    if (sound) return sound;
    const next = await repaired(session, reporter, best, plan, own, round);
    const fixed = best.errors.filter((error) => !next.errors.some((other) => same(error, other))).length;
    await reporter.report({ type: 'repaired', round, fixed, remaining: next.errors.length });
    const signature = signatureOf(next.errors);
    if (seen.has(signature)) throw new Shortfall('noProgress');
    seen.add(signature);
    if (soundOf(next) || next.errors.length < best.errors.length) best = next;
  }
  const sound = soundOf(best);
  if (!sound) throw new Shortfall('checks');
  return sound;
}

async function checked(
  reporter: BuildReporter,
  files: ReadonlyMap<string, string>,
  plan: ToWrite,
): Promise<Candidate> {
  const verification = await reporter.verify(files, plan.spec);
  const errors = verification.checks.flatMap((check) =>
    check.problems.filter((problem) => problem.severity === 'error'),
  );
  return { files, verification, errors };
}

function soundOf({ files, verification, errors }: Candidate): Sound | null {
  const { passed, html } = verification;
  return passed && html !== null ? { files, verification, errors, html } : null;
}

const same = (a: Problem, b: Problem) => signatureOf([a]) === signatureOf([b]);

async function repaired(
  session: ModelSession,
  reporter: BuildReporter,
  { files, errors }: Candidate,
  plan: ToWrite,
  own: readonly string[],
  round: number,
): Promise<Candidate> {
  await reporter.enter('repairing');
  await reporter.report({ type: 'repair', round, maxRounds, problems: errors });
  const affected = affectedBy(errors, own);
  const rewritten = await askForFiles(session, {
    name: `repair-${round}`,
    tokens,
    wanted: affected,
    messages: (boundary) => [
      { role: 'system', content: codeInstructions },
      {
        role: 'user',
        content: repairQuestion(
          plan,
          own.map((path) => writtenBlock(boundary, path, files.get(path) ?? '')),
          framedProblems(errors, files),
          affected,
          boundary,
        ),
      },
    ],
  });
  const next = new Map([...files, ...rewritten]);
  await reporter.files(next);
  return checked(reporter, next, plan);
}

/** The files that the problems are in; a problem without one may be in any. */
function affectedBy(errors: readonly Problem[], own: readonly string[]): string[] {
  const named = new Set(errors.map(({ file }) => file));
  const found = own.filter((path) => named.has(path));
  return found.length > 0 ? found : [...own];
}
