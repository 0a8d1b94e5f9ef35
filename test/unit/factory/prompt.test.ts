import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanPrompt } from '../../../src/factory/prompt.ts';
import { read } from '../../../src/factory/read/read.ts';
import { specProblems } from '../../../src/factory/spec.ts';
import { promptOf } from '../../../src/services/builds/build-errors.ts';
import { contract } from '../../helpers/contract.ts';

const {
  pattern = '',
  minLength = 0,
  maxLength = 0,
} = contract.components.schemas['Prompt'] as {
  pattern?: string;
  minLength?: number;
  maxLength?: number;
};

/** Whether a text fits the schema of prompts, in pattern as JSON Schema and in halves of pairs as the description says. */
function fits(text: string): boolean {
  const visible = text.replaceAll(/\p{Cs}/gu, ' ');
  return (
    [...text].length >= minLength && [...text].length <= maxLength && new RegExp(pattern, 'u').test(visible)
  );
}

function accepted(text: string): boolean {
  try {
    promptOf(text);
    return true;
  } catch {
    return false;
  }
}

/** Texts of all that is odd: controls, blanks, marks, halves of pairs, letters. */
const odd = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u0000',
        '\u001f',
        '\u007f',
        '\u0085',
        ' ',
        '\u00a0',
        '\u200b',
        '\u202e',
        '\u2066',
        '\u3000',
      ),
      fc.constantFrom('\ud83d', '\udd8a', '🦊', 'a', 'J', '.', '-', '\u0301', '\ufeff', '\n', '\ue000'),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('a prompt', () => {
  it('that fits the schema is accepted, and one that does not is refused', () => {
    const check = (text: string) => expect(accepted(text), JSON.stringify(text)).toBe(fits(text));
    fc.assert(
      fc.property(odd, (text) => {
        fc.pre([...text].length >= minLength);
        check(text);
      }),
      { numRuns: 2000 },
    );
    for (const text of ['\u0000.J', '\u0000.Jx', '🦊🦊🦊', '- \n- \n- x', 'e\u0301\u0301']) check(text);
  });

  it('that is accepted can be planned and stored, whatever is left of it', () => {
    fc.assert(
      fc.property(odd.filter(fits), (text) => {
        const clean = cleanPrompt(text);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(specProblems(read(clean).spec)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
