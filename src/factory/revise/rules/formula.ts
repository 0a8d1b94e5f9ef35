import type { AppSpec } from '../../spec.ts';
import { fieldsIn } from '../new-fields.ts';
import { done, type Outcome, refuse } from '../rule.ts';
import { folded } from '../tokens.ts';
import type { Words } from '../words.ts';

/** “Add a number field Width” to a calculator by formula is one more number that it asks for. */
export function addInputs(spec: AppSpec, text: string, words: Words): Outcome {
  const { formula } = spec;
  const wanted = formula && fieldsIn(words, text);
  if (!formula || !wanted) return null;
  const isThere = (label: string) => formula.inputs.some((input) => folded(input.label) === folded(label));
  const labels = wanted.map(({ label }) => label);
  const fresh = labels.filter((label) => !isThere(label));
  if (fresh.length === 0) return refuse(words, 'there', labels.join(', '));
  const keys = new Set([...formula.inputs, ...formula.results].map(({ key }) => key));
  const inputs = fresh.map((label) => {
    const key = freeKey(label, keys);
    keys.add(key);
    return { key, label };
  });
  const next = { ...formula, inputs: [...formula.inputs, ...inputs] };
  return done(words, { ...spec, formula: next }, 'added', { what: fresh.join(', ') });
}

/** A key like the label, that nothing in the formula has and no function: `value`, `width_2`. */
function freeKey(label: string, taken: ReadonlySet<string>): string {
  const base = folded(label)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 18);
  const plain = base === '' || functions.has(base) ? `${base || 'value'}_1` : base;
  if (!taken.has(plain)) return plain;
  for (let number = 2; ; number++) if (!taken.has(`${plain}_${number}`)) return `${plain}_${number}`;
}

/** What expressions call functions, so that no input may be called so. */
const functions: ReadonlySet<string> = new Set(['min', 'max', 'round', 'ceil', 'floor', 'sqrt', 'abs']);
