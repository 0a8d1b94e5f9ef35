import { hostilePrompts } from '../../unit/factory/hostile-prompts.ts';
import { judgedPrompts } from '../../unit/factory/prompts.ts';
import { reportedPrompts } from '../../unit/factory/reported-prompts.ts';

export interface BrowserPrompt {
  readonly prompt: string;
  /** The journey to make; without one the page is only looked at. */
  readonly journey?: string;
}

/** One prompt for each tool. */
const tools: readonly BrowserPrompt[] = [
  { prompt: 'an expense tracker', journey: 'tracker' },
  { prompt: 'my book collection in purple', journey: 'tracker' },
  { prompt: 'todo list with due dates', journey: 'tracker' },
  { prompt: 'kanban board', journey: 'board' },
  { prompt: 'dashboard with revenue and visitors', journey: 'dashboard' },
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
  { prompt: 'portfolio for Ana Gil, photographer, yellow', journey: 'portfolio' },
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
