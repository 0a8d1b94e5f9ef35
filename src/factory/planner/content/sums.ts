import type { Question } from '../../spec.ts';
import { hashOf } from '../text.ts';
import { words } from '../words.ts';

type Operation = '+' | '−' | '×' | '÷';

const operations: readonly (readonly [Operation, RegExp])[] = [
  [
    '×',
    words(
      'multiplications?|multiply(?:ing)?|times[- ]?tables?|(?:\\p{L}+)?einmaleins|1x1|multiplizieren|malnehmen|tablas? de multiplicar|multiplicar|multiplicación|multiplicaciones|tables? de multiplication|multiplier',
    ),
  ],
  ['+', words('additions?|adding|plusrechnen|addieren|plusaufgaben|sumas?|sumar|adición|additionner')],
  [
    '−',
    words(
      'subtractions?|subtract(?:ing)?|minusrechnen|subtrahieren|subtraktion|minusaufgaben|restas?|restar|soustractions?|soustraire',
    ),
  ],
  [
    '÷',
    words('divisions?|dividing|long division|dividieren|geteiltrechnen|división|divisiones|dividir|diviser'),
  ],
];

const mental = words(
  'mental (?:maths?|arithmetic)|arithmetic|kopfrechnen|rechnen|rechentrainer|cálculo mental|calcul mental|maths? (?:practice|drills?|trainer|facts)|sums',
);

/** The operations that a prompt wants practised; none when it speaks of no sums. */
export function operationsIn(prompt: string): Operation[] {
  const named = operations.filter(([, pattern]) => pattern.test(prompt)).map(([sign]) => sign);
  if (named.length > 0 || !mental.test(prompt)) return named;
  const signs: Operation[] = [
    ...(words('plus|más').test(prompt) ? ['+' as const] : []),
    ...(words('minus|menos|moins').test(prompt) ? ['−' as const] : []),
  ];
  return signs.length > 0 ? signs : ['+', '−', '×'];
}

const young = words(
  'first[- ]?grad(?:e|ers)|1st grade|year 1|preschool|kindergarten|erste klasse|1\\. klasse|erstklässler|grundschüler|primer grado|1º de primaria|cp|préscolaire|six[- ]year[- ]olds?',
);

/** Twelve sums, always the same for a prompt: of the operations it names, small ones for the youngest. */
export function sums(prompt: string): Question[] {
  const named = operationsIn(prompt);
  const signs: readonly Operation[] = named.length > 0 ? named : ['×'];
  const max = young.test(prompt) ? 10 : 50;
  const asked = new Set<string>();
  const questions: Question[] = [];
  for (let index = 0; questions.length < 12 && index < 60; index++) {
    const sign = signs[questions.length % signs.length] ?? '×';
    const pick = (salt: string, low: number, high: number) =>
      low + (hashOf(prompt, `${salt}${index}`) % (high - low + 1));
    const question = sumOf(sign, pick, max);
    if (asked.has(question.prompt)) continue;
    asked.add(question.prompt);
    questions.push(question);
  }
  return questions;
}

function sumOf(
  sign: Operation,
  pick: (salt: string, low: number, high: number) => number,
  max: number,
): Question {
  const factors = () => [pick('a', 2, 10), pick('b', 2, 10)] as const;
  if (sign === '×') {
    const [a, b] = factors();
    return asked(`${a} × ${b}`, a * b, [a * b + a, a * b - b, a * b + 10, a * b + 1]);
  }
  if (sign === '÷') {
    const [a, b] = factors();
    return asked(`${a * b} ÷ ${b}`, a, [a + 1, a - 1, a + 2, a + 3]);
  }
  const [a, b] = [pick('a', 2, max), pick('b', 1, max)];
  if (sign === '+') return asked(`${a} + ${b}`, a + b, [a + b + 1, a + b - 1, a + b + 2, a + b + 10]);
  const [high, low] = a > b ? [a, b] : [b + 1, a];
  const left = high - low;
  return asked(`${high} − ${low}`, left, [left + 1, left + 2, left + 10, left - 1]);
}

function asked(sum: string, right: number, wrong: readonly number[]): Question {
  const others = [...new Set(wrong)].filter((other) => other !== right && other >= 0).slice(0, 3);
  return { prompt: `${sum} = ?`, answer: String(right), wrong: others.map(String) };
}
