import { isDeepStrictEqual } from 'node:util';
import type { BuiltApp } from '../build-app.ts';
import type { BuildReporter } from '../build-reporter.ts';
import type { WrittenApp } from '../builder.ts';
import { source } from '../render/sources.ts';
import { readmeOf, sourcesInReadme } from '../render/texts.ts';
import type { AppSpec } from '../spec.ts';
import { writtenBlock } from './blocks.ts';
import { askForFiles, generateFiles } from './generate.ts';
import { type FileToWrite, givenFiles } from './model-spec.ts';
import { changeQuestion, codeInstructions, type ToWrite } from './prompts/code.ts';
import { verifiedOrRepaired } from './repair.ts';
import type { ModelSession } from './session.ts';

const tokens = 16_000;

/** Members whose change is wholly in the files that are given. */
const look: ReadonlySet<string> = new Set(['palette', 'assumptions', 'icon']);

/**
 * An app out of files that the model writes. Throws a `Shortfall`.
 * @param look a spec that the templates can use: the colours are from it
 */
export async function writtenApp(
  session: ModelSession,
  reporter: BuildReporter,
  plan: ToWrite,
  look: AppSpec,
): Promise<BuiltApp> {
  await reporter.enter('generating');
  const given = await givenTo(reporter, plan, look);
  const total = plan.files.length + given.size;
  const files = await generateFiles(session, reporter, reporter.context.prompt, plan, total);
  await reportGiven(reporter, given, plan.files.length);
  return soundApp(session, reporter, plan, new Map([...files, ...given]));
}

/**
 * An app that a model has written before, with those files changed that its new spec or an instruction needs. Throws a
 * `Shortfall`.
 * @param onUnchanged is called when it is what it was
 */
export async function changedApp(
  session: ModelSession,
  reporter: BuildReporter,
  before: WrittenApp,
  spec: AppSpec,
  onUnchanged: () => Promise<void>,
): Promise<BuiltApp> {
  await reporter.enter('generating');
  const plan = { spec, files: ownFilesOf(before.files), design: before.design, changed: true };
  const own = new Map(plan.files.map(({ path }) => [path, before.files.get(path) ?? '']));
  const rewritten = await changedFiles(session, reporter, { ...before, files: own }, spec);
  const same = [...rewritten].every(([path, text]) => own.get(path) === text);
  if (same && isDeepStrictEqual(spec, before.spec)) await onUnchanged();
  const given = await givenTo(reporter, plan, spec);
  const files = new Map([...own, ...rewritten]);
  const total = files.size + given.size;
  for (const [index, [path, text]] of [...files].entries()) await reporter.file(path, text, index + 1, total);
  await reportGiven(reporter, given, files.size);
  return soundApp(session, reporter, plan, new Map([...files, ...given]));
}

/** The files of an app that its model wrote, each with what it is for. */
function ownFilesOf(files: WrittenApp['files']): FileToWrite[] {
  const given: readonly string[] = givenFiles;
  const purposes = sourcesInReadme(files.get('README.md') ?? '');
  return [...files.keys()]
    .filter((path) => !given.includes(path))
    .sort()
    .map((path) => ({ path, purpose: purposes.get(path) ?? '' }));
}

async function soundApp(
  session: ModelSession,
  reporter: BuildReporter,
  plan: ToWrite,
  texts: ReadonlyMap<string, string>,
): Promise<BuiltApp> {
  const { spec, files } = plan;
  const whole = new Map([...texts].sort(([a], [b]) => (a < b ? -1 : 1)));
  const own = files.map(({ path }) => path);
  const sound = await verifiedOrRepaired(session, reporter, whole, plan, own);
  await reporter.enter('packaging');
  const packed = await reporter.work('pack', sound.files, sound.html, spec);
  return {
    spec,
    files: sound.files,
    checks: sound.checks,
    html: sound.html,
    package: packed,
    assumptions: spec.assumptions,
    picture: sound.picture,
  };
}

/** The files beside the model's own: the colours of the spec, the way to the storage, the README. */
async function givenTo(
  reporter: BuildReporter,
  { spec, files }: ToWrite,
  look: AppSpec,
): Promise<Map<string, string>> {
  const template = await reporter.work('render', look);
  const texts: Record<(typeof givenFiles)[number], string> = {
    'src/theme.css': template.get('src/theme.css') ?? '',
    'src/kit/base.css': source('kit/base.css'),
    'src/kit/storage.js': source('kit/storage.js'),
    'src/kit/tools.js': source('kit/tools.js'),
    'README.md': readmeOf(spec, files),
  };
  return new Map(Object.entries(texts));
}

/** @param before how many files come before them */
async function reportGiven(
  reporter: BuildReporter,
  given: ReadonlyMap<string, string>,
  before: number,
): Promise<void> {
  for (const [index, [path, text]] of [...given].entries())
    await reporter.file(path, text, before + index + 1, before + given.size);
}

/**
 * Has the model change the files of an app that it wrote, only those that need it. Throws a `Shortfall`.
 * @param before the app with its own files alone
 */
async function changedFiles(
  session: ModelSession,
  reporter: BuildReporter,
  before: WrittenApp,
  spec: AppSpec,
): Promise<ReadonlyMap<string, string>> {
  const { instructed, prompt } = { ...reporter.context.options, prompt: reporter.context.prompt };
  const instruction = instructed?.instruction ?? null;
  if (instruction === null && differing(before.spec, spec).every((name) => look.has(name))) return new Map();
  return askForFiles(session, {
    name: 'change',
    tokens,
    wanted: [...before.files.keys()],
    some: true,
    messages: (boundary) => [
      { role: 'system', content: codeInstructions },
      {
        role: 'user',
        content: changeQuestion(
          {
            prompt,
            instruction,
            before: before.spec,
            after: spec,
            must: before.design?.must ?? [],
            blocks: [...before.files].map(([path, text]) => writtenBlock(boundary, path, text)),
          },
          boundary,
        ),
      },
    ],
  });
}

function differing(one: AppSpec, other: AppSpec): string[] {
  return Object.keys(other).filter(
    (name) => !isDeepStrictEqual(one[name as keyof AppSpec], other[name as keyof AppSpec]),
  );
}
