import type { BuildTemplate, TemplateId, TemplateList } from '../../generated/types.gen.ts';
import { offersOf } from './kinds/offers.ts';
import type { TemplateName } from './spec.ts';

type Entry = Pick<BuildTemplate, 'name' | 'description' | 'tags' | 'example_prompts'>;

/** The version of all templates, part of what the record of a build says about its template. */
export const templateVersion = 1;

/** What can be built without a model, for people and programs that choose from it. */
const entries: Readonly<Record<TemplateName & TemplateId, Entry>> = {
  tracker: {
    name: 'Tracker',
    description:
      'Keeps a list of things with typed fields, as a table, cards or a checklist, with search, totals and CSV.',
    tags: ['list', 'crud', 'inventory', 'collection'],
    example_prompts: [
      'a simple expense tracker',
      'reading list where I can rate books',
      'inventory for my small warehouse: fields: product, sku, quantity, location, price',
    ],
  },
  habits: {
    name: 'Habits',
    description: 'Ticks off habits day by day and counts streaks.',
    tags: ['habits', 'routine', 'streaks'],
    example_prompts: ['habit tracker', 'daily habits: meditate, floss, walk the dog'],
  },
  board: {
    name: 'Board',
    description: 'Moves cards through columns, by mouse and by keyboard.',
    tags: ['kanban', 'tasks', 'team'],
    example_prompts: [
      'kanban board for our content team with columns Idea, Draft, Review, Published',
      'a board for the chores of our flat',
    ],
  },
  dashboard: {
    name: 'Dashboard',
    description: 'Shows numbers as tiles and charts that follow an editable table.',
    tags: ['charts', 'numbers', 'report'],
    example_prompts: [
      'sales dashboard with revenue, orders and profit',
      'dashboard of my weekly running distance',
    ],
  },
  quiz: {
    name: 'Quiz',
    description: 'Asks questions with several answers, keeps score, and lets the questions be edited.',
    tags: ['questions', 'learning', 'game'],
    example_prompts: ['general knowledge quiz', 'a quiz about the planets for my class'],
  },
  flashcards: {
    name: 'Flashcards',
    description: 'Turns cards over and brings back those that were not known.',
    tags: ['vocabulary', 'learning'],
    example_prompts: ['spanish flashcards', 'flashcards for the capitals of Europe'],
  },
  calculator: {
    name: 'Calculator',
    description:
      'Works out one thing: a tip, a loan, BMI, VAT, fuel, a quote, or anything on a plain calculator.',
    tags: ['formula', 'money', 'health'],
    example_prompts: ['tip calculator', 'quote calculator for a painter', 'loan calculator in dark mode'],
  },
  converter: {
    name: 'Converter',
    description: 'Converts between units of length, weight, temperature, volume, speed, area, data and time.',
    tags: ['units'],
    example_prompts: ['unit converter', 'celsius to fahrenheit'],
  },
  timer: {
    name: 'Timer',
    description: 'Counts time: pomodoro, stopwatch, countdown or intervals.',
    tags: ['time', 'focus', 'sport'],
    example_prompts: ['pomodoro timer', 'interval timer: 8 rounds of 40 seconds with 20 seconds rest'],
  },
  landing: {
    name: 'Site of a business',
    description: 'A page for a business: what it offers, prices, opening hours, questions, contact.',
    tags: ['website', 'business', 'menu'],
    example_prompts: [
      'website for the bakery "Crumb" at 12 Mill Street, open Tue-Sat 7-13',
      'landing page for a yoga studio with three prices',
    ],
  },
  portfolio: {
    name: 'Portfolio',
    description: 'Presents a person: work, experience, skills, contact.',
    tags: ['cv', 'website', 'person'],
    example_prompts: ['portfolio for Ana Gil, photographer, yellow', 'my CV as a web page'],
  },
  docs: {
    name: 'Documentation',
    description: 'Chapters or questions with a table of contents and search.',
    tags: ['faq', 'help', 'manual'],
    example_prompts: ['FAQ page for our library', 'documentation for a small command line tool'],
  },
  game: {
    name: 'Game',
    description: 'Snake, tic-tac-toe, memory or 2048, for keyboard and touch.',
    tags: ['fun'],
    example_prompts: ['snake', 'memory game with 6 pairs', '2048 in pink'],
  },
  form: {
    name: 'Form, poll or RSVP',
    description: 'Collects answers on the device, shows the result of a poll, exports them.',
    tags: ['survey', 'poll', 'rsvp'],
    example_prompts: ['contact form with name, email and message', 'poll: pizza, sushi or tacos?'],
  },
  notes: {
    name: 'Notes',
    description: 'Notes or a journal, with search and tags.',
    tags: ['writing', 'journal'],
    example_prompts: ['notes app', 'a journal with one entry a day'],
  },
  event: {
    name: 'Event',
    description: 'A page for an event: when, where, a countdown, the schedule, answers to guests.',
    tags: ['wedding', 'conference', 'party'],
    example_prompts: [
      'wedding page for Lena and Tom',
      'page for our summer party on 12 July with a schedule',
    ],
  },
};

/** Every family. */
export function templateList(): TemplateList {
  const data = Object.entries(entries).map(([id, entry]) => ({
    id: id as TemplateId,
    version: templateVersion,
    ...entry,
    features: [...offersOf(id as TemplateName)],
    engines: ['embedded' as const],
    estimated_seconds: 1,
  }));
  return { object: 'list', data, count: data.length };
}
