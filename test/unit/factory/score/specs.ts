import type { AppSpec } from '../../../../src/factory/spec.ts';
import type { PromptEntry } from '../../../factory/score/prompt-set.ts';
import type { Reading } from '../../../factory/score/reading.ts';
import { wholeSpec } from '../../../helpers/whole-spec.ts';

const plain = wholeSpec({
  variant: 'table',
  name: 'Tools',
  palette: { accent: '#1f8a4c', mode: 'auto', look: 'soft' },
  currency: 'EUR',
  entity: {
    singular: 'Tool',
    plural: 'Tools',
    fields: [
      { key: 'f0', label: 'Tool', type: 'text' },
      { key: 'f1', label: 'Due date', type: 'date' },
      { key: 'f2', label: 'Status', type: 'select', options: ['in', 'out'] },
    ],
  },
});

/** A spec of a list of tools, with other members as given. */
export const specOf = (members: Partial<AppSpec> = {}): AppSpec => ({ ...plain, ...members });

/** A prompt that the spec of `specOf()` answers, with other members and expectations as given. */
export const entryOf = (
  expect: Partial<PromptEntry['expect']> = {},
  members: Partial<Omit<PromptEntry, 'expect'>> = {},
): PromptEntry => ({
  id: 'd-en-999',
  lang: 'en',
  prompt: 'a list of tools: tool, due date, status (in, out)',
  expect: { kind: ['tracker'], ...expect },
  ...members,
});

/** What a reader says that took everything up, with other members as given. */
export const readingOf = (members: Partial<Reading> = {}): Reading => ({
  notTakenUp: [],
  unserved: null,
  ...members,
});
