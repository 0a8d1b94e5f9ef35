import { describe, expect, it } from 'vitest';
import { factoryKinds } from '../../../../src/factory/read/kinds.ts';
import { readPrompt } from '../../../../src/factory/read/reader.ts';
import { specProblems, templateNames } from '../../../../src/factory/spec.ts';
import { promptSet } from '../../../factory/score/prompt-set.ts';
import { hostilePrompts } from '../hostile-prompts.ts';

const prompts = [...promptSet('development').map(({ prompt }) => prompt), ...hostilePrompts];

describe('what a kind makes of a prompt', () => {
  it.each(templateNames)('is valid for %s, whatever the prompt is for', (kind) => {
    const wrong = prompts.flatMap((prompt) => {
      const problems = specProblems(readPrompt(prompt, { kind }, factoryKinds).spec);
      return problems.length > 0 ? [[prompt.slice(0, 80), ...problems]] : [];
    });
    expect(wrong).toEqual([]);
  });
});
