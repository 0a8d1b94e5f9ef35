import { describe, expect, test } from 'vitest';
import { cardSubjects } from '../../../src/factory/planner/content/board-cards.ts';
import { quizTopics } from '../../../src/factory/planner/content/quiz-topics.ts';
import { read } from '../../../src/factory/read/read.ts';
import { langs, specProblems, templateNames, variants } from '../../../src/factory/spec.ts';
import { contentPrompts } from './content-prompts.ts';
import { fieldPrompts } from './field-prompts.ts';
import { freshPagePrompts } from './fresh-page-prompts.ts';
import { freshPrompts } from './fresh-prompts.ts';
import { type JudgedPrompt, judgedPrompts } from './prompts.ts';
import { reportedPrompts } from './reported-prompts.ts';
import { templatePrompts } from './template-prompts.ts';
import { toldPrompts } from './told-prompts.ts';

/** What of the expectation the spec does not hold. */
function misses(expected: JudgedPrompt): string[] {
  const spec = read(expected.prompt).spec;
  const fields = spec.entity?.fields ?? [];
  const labels = fields.map((field) => field.label);
  const everything = JSON.stringify(spec);
  const differs = (what: string, actual: unknown, wanted: unknown) =>
    wanted === undefined || actual === wanted ? [] : [`${what} is ${String(actual)}, not ${String(wanted)}`];
  return [
    ...differs('kind', spec.kind, expected.template),
    ...differs('variant', spec.variant, expected.variant),
    ...differs('language', spec.lang, expected.lang ?? 'en'),
    ...differs('name', spec.name, expected.name),
    ...differs('accent', spec.palette.accent, expected.accent),
    ...differs('mode', spec.palette.mode, expected.mode),
    ...(expected.fields ?? [])
      .filter((label) => !labels.includes(label))
      .map((label) => `no field ${label} in ${labels.join(', ')}`),
    ...differs('the list of fields', labels.join(), expected.onlyFields?.join()),
    ...Object.entries(expected.options ?? {}).flatMap(([label, options]) =>
      differs(
        `options of ${label}`,
        fields.find((field) => field.label === label)?.options?.join(),
        options.join(),
      ),
    ),
    ...Object.entries(expected.types ?? {}).flatMap(([label, type]) =>
      differs(`type of ${label}`, fields.find((field) => field.label === label)?.type, type),
    ),
    ...Object.entries(expected.settings ?? {}).flatMap(([name, value]) =>
      differs(name, spec.settings[name], value),
    ),
    ...(expected.texts ?? [])
      .filter((text) => !everything.includes(text))
      .map((text) => `“${text}” is missing`),
    ...specProblems(spec),
  ];
}

test.each(templateNames)(
  'a prompt that speaks of another template becomes the template %s that is asked for',
  (template) => {
    const foreign = judgedPrompts
      .map(({ prompt }) => ({ prompt, variant: read(prompt, { kind: template }).spec.variant }))
      .filter(
        ({ variant }) => variant !== '' && !(variants[template] as readonly string[]).includes(variant),
      );
    expect(foreign).toEqual([]);
  },
);

describe('what strangers write', () => {
  test.each(
    [
      ...judgedPrompts,
      ...reportedPrompts,
      ...contentPrompts,
      ...fieldPrompts,
      ...templatePrompts,
      ...freshPrompts,
      ...freshPagePrompts,
      ...toldPrompts,
    ].map((expected) => [expected.prompt, expected] as const),
  )('%s', (_prompt, expected) => {
    expect(misses(expected)).toEqual([]);
  });

  test('what was not said is named as assumed, in the language of the prompt', () => {
    expect(read('something cool').spec.assumptions.join(' ')).toContain('leaves open');
    expect(read('eine App für meine Ausgaben').spec.assumptions.join(' ')).toContain('Farbe');
    expect(read('sudoku').spec.assumptions.join(' ')).toContain('2048 comes closest');
    expect(read('tetris').spec.assumptions.join(' ')).not.toContain('closest');
    expect(read('opera trivia').spec.assumptions.join(' ')).toContain('no ready questions');
    expect(read('quiz about the history of jazz').spec.assumptions.join(' ')).toContain('no ready questions');
    expect(read('quiz about the history of jazz').spec.name).toBe('Quiz');
    expect(read('Quiz about my cat Whiskers').spec.assumptions.join(' ')).toContain('no ready questions');
  });
});

test('the cards of each subject stand in four languages, as many in each', () => {
  expect(cardSubjects.length).toBeGreaterThanOrEqual(12);
  for (const [subject, cards] of cardSubjects) {
    const lengths = cards.split('|').map((list) => list.split(';').length);
    expect(lengths, subject).toEqual([5, 5, 5, 5]);
  }
});

describe('ready questions', () => {
  test.each(Object.entries(quizTopics))(
    'on %s have one right answer and three others, in each language',
    (_name, topic) => {
      for (const lang of langs) {
        expect(topic[lang]).toHaveLength(topic.en.length);
        for (const line of topic[lang]) {
          const [question = '', answers = '', ...more] = line.split('=');
          expect(more).toEqual([]);
          expect(question.length).toBeLessThanOrEqual(200);
          expect(new Set(answers.split('~')).size).toBe(4);
        }
      }
    },
  );
});
