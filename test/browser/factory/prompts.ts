import { type BuiltApp, buildApp, buildFromSpec } from '../../../src/factory/build-app.ts';
import { read } from '../../../src/factory/read/read.ts';
import type { AppSpec, Entity, Field, SeedRow } from '../../../src/factory/spec.ts';
import { judgedPrompts } from '../../unit/factory/prompts.ts';
import { hostilePrompts, reportedPrompts } from '../../unit/factory/reported-prompts.ts';

export interface BrowserPrompt {
  readonly prompt: string;
  /** The journey to make; without one the page is only looked at. */
  readonly journey?: string;
  /** What the journey needs to find in the app that the prompt itself does not name. */
  readonly holding?: (spec: AppSpec) => Partial<AppSpec>;
}

/** Entries with a value in every field, the figures of the later ones larger. */
const entries =
  (count: number) =>
  ({ entity }: AppSpec): Partial<AppSpec> => ({
    seed: entity ? Array.from({ length: count }, (_, index) => entryOf(entity, index + 1)) : [],
  });

const entryOf = ({ fields }: Entity, number: number): SeedRow =>
  Object.fromEntries(fields.map((field) => [field.key, sampleOf(field, number)]));

function sampleOf({ type, label, options = [] }: Field, number: number): SeedRow[string] {
  switch (type) {
    case 'select':
      return options[number % options.length] ?? '';
    case 'date':
      return `2026-01-0${number}`;
    case 'checkbox':
      return number % 2 === 0;
    case 'rating':
      return (number % 5) + 1;
    case 'number':
    case 'currency':
      return number * 10;
    default:
      return `${label} no. ${number}`;
  }
}

/** Works of two kinds, between which a visitor can choose. */
const works = (): Partial<AppSpec> => ({
  sections: [
    {
      type: 'items',
      title: 'Works',
      items: [
        { title: 'Quiet Mornings', text: 'The first hour of the day.', meta: 'Series' },
        { title: 'Harbour Lights', text: 'Made over one winter by the water.', meta: 'Commission' },
        { title: 'Field Notes', text: 'Sketches and studies from the road.', meta: 'Series' },
      ],
    },
  ],
});

/** One prompt for each tool. */
const tools: readonly BrowserPrompt[] = [
  { prompt: 'an expense tracker', journey: 'tracker', holding: entries(3) },
  { prompt: 'my book collection in purple', journey: 'tracker', holding: entries(3) },
  { prompt: 'todo list with due dates', journey: 'tracker', holding: entries(3) },
  { prompt: 'kanban board', journey: 'board' },
  { prompt: 'dashboard with revenue and visitors', journey: 'dashboard', holding: entries(6) },
  { prompt: 'habit tracker', journey: 'habits' },
  { prompt: 'general knowledge quiz', journey: 'quiz' },
  { prompt: 'spanish flashcards', journey: 'flashcards' },
  { prompt: 'tip calculator', journey: 'calculator' },
  { prompt: 'bmi calculator', journey: 'calculator' },
  { prompt: 'calculator', journey: 'calculator/basic' },
  { prompt: 'quote calculator for a painter', journey: 'calculator/quote' },
  { prompt: 'unit converter', journey: 'converter' },
  { prompt: 'pomodoro timer', journey: 'timer' },
  { prompt: 'stopwatch', journey: 'timer' },
  { prompt: 'website for the bakery "Crumb" at 12 Mill Street, open Tue-Sat 7-13', journey: 'landing' },
  { prompt: 'portfolio for Ana Gil, photographer, yellow', journey: 'portfolio', holding: works },
  { prompt: 'FAQ page for our library', journey: 'docs' },
  { prompt: 'snake', journey: 'game/snake' },
  { prompt: 'tic tac toe', journey: 'game/tictactoe' },
  { prompt: 'memory game with 6 pairs', journey: 'game/memory' },
  { prompt: '2048', journey: 'game/2048' },
  { prompt: 'tetris', journey: 'game/blocks' },
  { prompt: 'contact form with name, email and message', journey: 'form' },
  { prompt: 'poll: pizza, sushi or tacos?', journey: 'form/poll' },
  { prompt: 'notes app', journey: 'notes' },
  { prompt: 'journal', journey: 'notes' },
  { prompt: 'wedding page for Lena and Tom', journey: 'event' },
];

/** One prompt for each family: few enough to run with every change. */
export const sample: readonly BrowserPrompt[] = tools.filter(
  (tool, index) => index === tools.findIndex((other) => familyOf(other) === familyOf(tool)),
);

function familyOf({ journey = '' }: BrowserPrompt): string {
  return journey.replace(/\/.*/, '');
}

/** Every judged prompt, and every hostile one. */
export const fullMatrix: readonly BrowserPrompt[] = [
  ...tools,
  ...[...judgedPrompts, ...reportedPrompts].map(({ prompt }) => ({ prompt })),
  ...hostilePrompts.map((prompt) => ({ prompt })),
];

/** The app that the prompt asks for, with what its journey needs. */
export function appOf({ prompt, holding }: BrowserPrompt): Promise<BuiltApp> {
  if (!holding) return buildApp(prompt);
  const { spec } = read(prompt);
  return buildFromSpec({ ...spec, ...holding(spec) });
}

/** The tool of this prompt in the list above. */
export function toolOf(prompt: string): BrowserPrompt {
  const tool = tools.find((entry) => entry.prompt === prompt);
  if (!tool) throw new Error(`No tool is asked for by ${JSON.stringify(prompt)}`);
  return tool;
}
