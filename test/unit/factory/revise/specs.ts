import type { AppSpec } from '../../../../src/factory/spec.ts';
import { wholeSpec } from '../../../helpers/factory-build.ts';

const bare = wholeSpec({ variant: 'table', name: 'Loans', tagline: 'Who has what' });

/** Whole specs for instructions to work on. */
export const specs = {
  loans: {
    ...bare,
    features: ['search', 'chart', 'due'],
    entity: {
      singular: 'Loan',
      plural: 'Loans',
      fields: [
        { key: 'f0', label: 'Book', type: 'text', required: true },
        { key: 'f1', label: 'Lent to', type: 'text' },
        { key: 'f2', label: 'Due date', type: 'date' },
        { key: 'f3', label: 'Status', type: 'select', options: ['Away', 'Back'] },
        { key: 'f4', label: 'Rating', type: 'rating' },
        { key: 'f5', label: 'Notes', type: 'longtext' },
      ],
    },
    seed: [{ f0: 'Dune', f1: 'Ana', f2: '@+7', f3: 'Away', f4: 4 }],
  },
  board: {
    ...bare,
    kind: 'board',
    variant: '',
    name: 'Posts',
    entity: {
      singular: 'Post',
      plural: 'Posts',
      fields: [
        { key: 'f0', label: 'Title', type: 'text' },
        { key: 'f1', label: 'Stage', type: 'select', options: ['Idea', 'Done'] },
      ],
    },
  },
  cafe: {
    ...bare,
    kind: 'landing',
    variant: '',
    name: 'Café Blau',
    currency: 'EUR',
    sections: [
      {
        type: 'prices',
        title: 'Menu',
        text: '',
        items: [
          { title: 'Espresso', price: '€2.00' },
          { title: 'Latte', price: '€3.00' },
        ],
      },
      { type: 'text', title: 'About us', text: 'We roast.', items: [] },
    ],
    hours: [],
    contact: {},
    copy: { action: 'Visit us', kicker: 'Café' },
  },
  quiz: {
    ...bare,
    kind: 'quiz',
    variant: '',
    name: 'Capitals',
    questions: [
      { prompt: 'Capital of France', answer: 'Paris', wrong: ['Rome'] },
      { prompt: 'Capital of Italy', answer: 'Rome', wrong: ['Paris'] },
    ],
  },
  habits: {
    ...bare,
    kind: 'habits',
    variant: '',
    name: 'Habits',
    sections: [{ type: 'items', title: 'Habits', items: [{ title: 'Run' }] }],
  },
  picker: { ...bare, kind: 'picker', variant: 'list', name: 'Who', choices: ['Ana', 'Ben'] },
  meals: {
    ...bare,
    kind: 'calendar',
    variant: 'week',
    name: 'Meals',
    grid: { rows: ['Breakfast', 'Lunch'], marks: [] },
  },
  party: {
    ...bare,
    kind: 'event',
    variant: '',
    name: 'Party',
    sections: [{ type: 'schedule', title: 'Saturday', text: '', items: [] }],
    copy: {},
  },
  timer: { ...bare, kind: 'timer', variant: 'countdown', name: 'Timer', settings: { minutes: 10 } },
} satisfies Record<string, AppSpec>;
