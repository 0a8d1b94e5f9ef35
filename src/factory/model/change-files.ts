import { isDeepStrictEqual } from 'node:util';
import type { BuildReporter } from '../build-reporter.ts';
import type { WrittenApp } from '../builder.ts';
import type { AppSpec } from '../spec.ts';
import { writtenBlock } from './blocks.ts';
import { askForFiles } from './generate.ts';
import { changeQuestion } from './prompts/change.ts';
import { codeInstructions } from './prompts/code.ts';
import type { ModelSession } from './session.ts';

const tokens = 16_000;

/** Members whose change is wholly in the files that are given. */
const look: ReadonlySet<string> = new Set(['palette', 'assumptions', 'icon']);

/**
 * Has the model change the files of an app that it wrote, only those that need it. Throws a `Shortfall`.
 * @param before the app with its own files alone
 */
export async function changedFiles(
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
