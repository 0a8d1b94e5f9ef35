import type { AppSpec } from '../../src/factory/spec.ts';

const empty: AppSpec = {
  v: 1,
  kind: 'tracker',
  variant: '',
  name: 'Test',
  tagline: '',
  lang: 'en',
  icon: '',
  palette: { accent: '#2563eb', mode: 'auto', look: 'soft' },
  currency: 'USD',
  entity: null,
  features: [],
  seed: [],
  sections: [],
  questions: [],
  hours: [],
  contact: {},
  formula: null,
  grid: null,
  choices: [],
  settings: {},
  copy: {},
  assumptions: [],
};

/** A whole spec of the parts that matter to a test. */
export const wholeSpec = (parts: Partial<AppSpec>): AppSpec => ({ ...empty, ...parts });
