import type { AppSpec, TemplateName } from '../spec.ts';

/** The sources of a family: where its program begins, its stylesheets, and the file that is its formula, if any. */
export interface Family {
  readonly entry: string;
  readonly styles: readonly string[];
  readonly formula?: string;
}

const plain = (folder: string, ...more: string[]): Family => ({
  entry: `${folder}/main.js`,
  styles: [...more, `${folder}/${folder}.css`],
});

const families: Record<TemplateName, (variant: string) => Family> = {
  tracker: () => plain('tracker'),
  habits: () => plain('habits'),
  board: () => plain('board'),
  dashboard: () => plain('dashboard'),
  quiz: () => plain('quiz', 'lib/questions.css'),
  flashcards: () => plain('flashcards', 'lib/questions.css'),
  calculator: calculator,
  converter: () => plain('converter'),
  timer: () => plain('timer'),
  landing: () => plain('landing', 'lib/site.css'),
  portfolio: () => plain('portfolio', 'lib/site.css'),
  docs: () => plain('docs'),
  game: (variant) => ({ entry: `game/${variant}.js`, styles: ['game/game.css', `game/${variant}.css`] }),
  form: () => plain('form'),
  notes: () => plain('notes'),
  event: () => plain('event', 'lib/site.css'),
};

function calculator(variant: string): Family {
  if (variant === 'basic') return { entry: 'calculator/basic.js', styles: ['calculator/basic.css'] };
  const styles = ['calculator/calculator.css'];
  if (variant === 'quote')
    return { entry: 'calculator/quote.js', styles: [...styles, 'calculator/quote.css'] };
  return { entry: 'calculator/main.js', styles, formula: `calculator/formulas/${variant}.js` };
}

export function familyOf(spec: AppSpec): Family {
  return families[spec.kind](spec.variant);
}
