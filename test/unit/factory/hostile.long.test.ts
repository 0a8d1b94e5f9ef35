import fc from 'fast-check';
import { parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { buildApp } from '../../../src/factory/build-app.ts';
import { read } from '../../../src/factory/read/read.ts';
import { specProblems } from '../../../src/factory/spec.ts';
import { elementsOf, textOf } from '../../../src/lib/html.ts';
import { hostilePrompts } from './hostile-prompts.ts';

describe('hostile text is only text', () => {
  test.each(hostilePrompts.map((prompt) => [prompt.slice(0, 60), prompt]))('%s', async (_start, prompt) => {
    const { html, spec } = await buildApp(prompt);
    const data = elementsOf(html).filter((element) =>
      element.attrs.some(({ value }) => value === 'app-data'),
    );
    expect(data).toHaveLength(1);
    const [script] = data;
    if (!script) throw new Error('no data');
    expect(JSON.parse(textOf(script))).toMatchObject({ name: spec.name });
    expect(elementsOf(html).map((element) => element.tagName)).not.toContain('img');
    const errors: string[] = [];
    parse(html, { onParseError: ({ code }) => errors.push(code) });
    expect(errors).toEqual([]);
  });

  test('any text makes a valid spec, the same each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 3, maxLength: 300 }), (text) => {
        const prompt = `x${text}y`;
        const spec = read(prompt).spec;
        expect(specProblems(spec)).toEqual([]);
        expect(read(prompt).spec).toEqual(spec);
      }),
      { numRuns: 150 },
    );
  });

  // Each once took a pattern apart in so many ways that the plan was never finished.
  const slow = [
    `mood log with mood ${'de '.repeat(100)}x`,
    `bakery at calle ${'ª'.repeat(100)}!`,
    `book list with title, pages${'.'.repeat(200)} .x`,
    `FAQ about ${'tov'.repeat(500)}\u0001`,
    `Verein. gib ${'ab '.repeat(600)}x`,
    `Liste, Angaben: ${': '.repeat(900)}`,
    `lista de rutas ${"d' ".repeat(600)}`,
    `tracker with a, ${'or no '.repeat(300)}x`,
  ];
  test.each(slow.map((prompt) => [prompt.slice(0, 30), prompt]))('is planned: %s…', (_start, prompt) => {
    expect(specProblems(read(prompt).spec)).toEqual([]);
  });

  test('what makes a careless pattern slow makes a plan like any other', () => {
    const starts = ['', 'website for ', 'wedding page in ', 'quiz about ', 'tracker with ', 'bar ', 'poll: '];
    const units = [
      'A ',
      'A',
      'a',
      'A’',
      '9',
      '9-',
      'ß',
      'A-',
      'A.',
      '‘a',
      'a, ',
      '9 € ',
      'calle ',
      '(',
      ': a, or ',
    ];
    for (const start of starts) {
      for (const unit of units) {
        const prompt = `${start}${unit.repeat(2000)}`.slice(0, 2000);
        expect(specProblems(read(prompt).spec), prompt.slice(0, 40)).toEqual([]);
      }
    }
  });

  test('any mixture of meaningful words makes a build that passes its checks', async () => {
    const words = [
      'tracker',
      'with',
      'and',
      ',',
      ':',
      '(',
      ')',
      '"',
      'called',
      'quiz',
      'book',
      'fields',
      'für',
      'site',
      'poll',
      '€5',
      'Mo-Fr 9-17',
      '?',
      'wedding',
      'columns',
      'dark',
      'red',
      '<',
      '&',
      'mit',
      'para',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...words), { minLength: 3, maxLength: 25 }),
        async (parts) => {
          const { checks } = await buildApp(`app ${parts.join(' ')}`);
          expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });
});

test('too short and too long prompts are refused', async () => {
  await expect(buildApp(' a\u0000 ')).rejects.toThrow('at least 3');
  await expect(buildApp('a'.repeat(2001))).rejects.toThrow('at most 2000');
});
