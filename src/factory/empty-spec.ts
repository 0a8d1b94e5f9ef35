import type { AppSpec } from './spec.ts';

/** A whole spec that says nothing: every member as it is before somebody says it. */
export const emptySpec = {
  v: 1,
  kind: 'tracker',
  variant: '',
  name: '',
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
} as const satisfies AppSpec;
