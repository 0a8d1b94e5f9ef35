import type { BuildReporter } from '../build-reporter.ts';
import { asWarning, type Driven } from '../drive/drive.ts';
import type { Problem } from '../problem.ts';
import type { CheckResult, Verification } from '../verify/verify.ts';
import { writtenBlock } from './blocks.ts';
import { Shortfall } from './budget.ts';
import { framedProblems, signatureOf } from './feedback.ts';
import { askForFiles } from './generate.ts';
import { codeInstructions, repairQuestion, type ToWrite } from './prompts/code.ts';
import type { ModelSession } from './session.ts';

/** Rounds of repair before a build goes down to the templates. */
export const maxRounds = 2;
const tokens = 16_000;

/** Files with what the checks and a browser say of them. */
export interface Candidate {
  readonly files: ReadonlyMap<string, string>;
  readonly verification: Verification;
  /** Null: no browser has tried it. */
  readonly driven: Driven | null;
  readonly errors: readonly Problem[];
}

/** Files that can be delivered, and their page. */
export interface Sound extends Pick<Candidate, 'files'> {
  readonly html: string;
  readonly checks: readonly CheckResult[];
  readonly picture: Uint8Array | null;
}

/**
 * Checks the files and has the model repair those that do not pass. Each round begins from the best files so far, and
 * a round that ends where another did is the last. Throws a `Shortfall` when the files are not sound in the end; what only a
 * browser has found in an app that opens is reported instead, as a template would do less.
 * @param own the paths that the model may write
 */
export async function verifiedOrRepaired(
  session: ModelSession,
  reporter: BuildReporter,
  files: ReadonlyMap<string, string>,
  plan: ToWrite,
  own: readonly string[],
): Promise<Sound> {
  let best = await checked(reporter, files, plan, own);
  let last = best;
  try {
    const seen = new Set([signatureOf(best.errors)]);
    for (let round = 1; round <= maxRounds && best.errors.length > 0; round++) {
      const next = await repaired(session, reporter, best, plan, own, round);
      last = next;
      const fixed = best.errors.filter((error) => !next.errors.some((other) => same(error, other))).length;
      await reporter.report({ type: 'repaired', round, fixed, remaining: next.errors.length });
      const signature = signatureOf(next.errors);
      if (rank(next) < rank(best)) best = next;
      if (seen.has(signature)) throw new Shortfall('noProgress');
      seen.add(signature);
    }
    const sound = soundOf(best);
    if (!sound || best.errors.length > 0) throw new Shortfall('checks');
    return sound;
  } catch (thrown) {
    const sound = soundOf(best);
    if (!sound || !(thrown instanceof Shortfall)) throw thrown;
    const message = `${thrown.message}; the app is delivered with what a browser has found: see its checks.`;
    await reporter.report({ type: 'notice', code: 'shortcomings', message });
    // What was found last may be of files that are not delivered.
    for (const result of sound.checks)
      if (last !== best || result.status === 'warning') await reporter.report({ type: 'check', result });
    return sound;
  }
}

/** The fewer the better; what cannot be delivered is worse than all that can. */
const rank = (candidate: Candidate): number => candidate.errors.length + (soundOf(candidate) ? 0 : 1_000);

async function checked(
  reporter: BuildReporter,
  files: ReadonlyMap<string, string>,
  plan: ToWrite,
  own: readonly string[],
): Promise<Candidate> {
  const verification = await reporter.verify(files, plan.spec);
  const { passed, html } = verification;
  const stylesheet = own.find((path) => path.endsWith('.css')) ?? null;
  const tried =
    passed && html !== null
      ? await reporter.drive({ html, must: plan.design?.must ?? [], stylesheet })
      : null;
  const driven = plan.changed && tried ? withoutDemands(tried) : tried;
  for (const result of driven?.checks ?? []) await reporter.report({ type: 'check', result });
  const errors = [...verification.checks, ...(driven?.checks ?? [])].flatMap((check) =>
    check.problems.filter((problem) => problem.severity === 'error'),
  );
  return { files, verification, driven, errors };
}

/** What a change leaves undone of the design may be what it asked for: that is reported, and not repaired. */
const withoutDemands = (driven: Driven): Driven => ({
  ...driven,
  checks: driven.checks.map((result) => (result.id === 'drive.must' ? asWarning(result) : result)),
});

/** The files if they can be delivered: what only a browser has found is a warning then, unless the app does not open. */
function soundOf({ files, verification, driven }: Candidate): Sound | null {
  const { passed, html, checks } = verification;
  const opens = driven?.checks.every(({ id, status }) => id !== 'drive.load' || status !== 'failed') ?? true;
  if (!passed || html === null || !opens) return null;
  const found = (driven?.checks ?? []).map(asWarning);
  return { files, html, checks: [...checks, ...found], picture: driven?.picture ?? null };
}

const same = (a: Problem, b: Problem) => signatureOf([a]) === signatureOf([b]);

async function repaired(
  session: ModelSession,
  reporter: BuildReporter,
  { files, errors, driven }: Candidate,
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
          plan.changed ? { ...plan, design: undefined } : plan,
          own.map((path) => writtenBlock(boundary, path, files.get(path) ?? '')),
          framedProblems(errors, files),
          affected,
          boundary,
        ),
        ...(driven?.faulty && { image: driven.faulty }),
      },
    ],
  });
  const next = new Map([...files, ...rewritten]);
  await reporter.files(next);
  return checked(reporter, next, plan, own);
}

/** The files that the problems are in; a problem without one may be in any. */
function affectedBy(errors: readonly Problem[], own: readonly string[]): string[] {
  const named = new Set(errors.map(({ file }) => file));
  const found = own.filter((path) => named.has(path));
  return found.length > 0 ? found : [...own];
}
