import { namesOf } from './json-pointer.ts';

/** The label of a member of a plan. Places in lists are `*`. */
export interface Label {
  readonly name: string;
  /** Of a list: the word for one of its items. */
  readonly one?: string;
  /** Of a list: the member that an item is called by. */
  readonly title?: string;
  /** Of a list: whether its items begin folded. */
  readonly folded?: boolean;
  readonly hint?: string;
}

/** The labels that differ from the names in the contract. */
const labels: Readonly<Record<string, Partial<Label>>> = {
  '/tagline': { hint: 'One line about the app.' },
  '/lang': { name: 'Language' },
  '/palette': { name: 'Colours' },
  '/palette/accent': {
    name: 'Colour',
    hint: 'Lighter and darker shades are added, so that all text stays readable.',
  },
  '/palette/mode': { name: 'Light or dark' },
  '/currency': { hint: 'Such as EUR.' },
  '/entity': { name: 'Data' },
  '/entity/fields': { one: 'field', title: 'label' },
  '/entity/fields/*/label': { name: 'Name' },
  '/entity/fields/*/options': { hint: 'One per line.' },
  '/entity/fields/*/total': { name: 'Summed up as' },
  '/seed': { name: 'Sample entries', one: 'example', folded: true },
  '/sections': { one: 'section', title: 'title', folded: true },
  '/sections/*/type': { name: 'Laid out as' },
  '/sections/*/title': { name: 'Heading' },
  '/sections/*/items': { one: 'item', title: 'title', folded: true },
  '/sections/*/items/*/meta': { name: 'Note', hint: 'A time, a year, a place.' },
  '/questions': { one: 'question', title: 'prompt', folded: true },
  '/questions/*/prompt': { name: 'Question' },
  '/questions/*/answer': { name: 'Right answer' },
  '/questions/*/wrong': { name: 'Wrong answers', hint: 'One per line, none for a card.' },
  '/hours': { name: 'Opening hours', one: 'line', title: 'days' },
  '/hours/*/time': { name: 'Hours' },
  '/contact/email': { name: 'E-mail' },
  '/contact/phone': { name: 'Telephone' },
  '/contact/endpoint': {
    name: 'Post answers to',
    hint: 'An address that begins with https://. Nothing is posted from a preview.',
  },
  '/formula/inputs': { one: 'input', title: 'label', folded: true },
  '/formula/inputs/*/key': { name: 'Called in formulas', hint: 'Small letters, such as width.' },
  '/formula/inputs/*/label': { name: 'Name' },
  '/formula/inputs/*/value': { name: 'Begins with' },
  '/formula/inputs/*/min': { name: 'Smallest' },
  '/formula/inputs/*/max': { name: 'Largest' },
  '/formula/results': { one: 'result', title: 'label', folded: true },
  '/formula/results/*/key': { name: 'Called in formulas', hint: 'Small letters, such as total.' },
  '/formula/results/*/label': { name: 'Name' },
  '/formula/results/*/expression': {
    name: 'Formula',
    hint: 'Such as ceil(width * height / 10). Also min, max, round, floor, sqrt and abs.',
  },
  '/formula/results/*/decimals': { name: 'Digits after the point' },
  '/grid': { name: 'Calendar' },
  '/grid/rows': { name: 'Rows of a week', hint: 'One per line, none for a month.' },
  '/grid/marks': { one: 'mark', title: 'label' },
  '/grid/marks/*/label': { name: 'Meaning' },
  '/choices': { hint: 'One per line.' },
  '/settings': { name: 'Numbers' },
  '/copy': { name: 'Texts' },
};

const valueNames: Readonly<Record<string, string>> = {
  longtext: 'long text',
  currency: 'money',
  select: 'choice',
  checkbox: 'yes or no',
  rating: 'stars',
  email: 'e-mail',
  phone: 'telephone',
  url: 'web address',
  csv: 'import and export',
  due: 'due dates',
  dark: 'dark mode',
  faq: 'questions and answers',
  sum: 'a sum',
  average: 'an average',
  none: 'nothing',
  auto: 'match device',
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  pt: 'Português',
};

export function labelOf(pointer: string): Label {
  const names = namesOf(pointer);
  const known = labels[`/${names.map((name) => (/^\d+$/.test(name) ? '*' : name)).join('/')}`];
  return { name: spaced(names.at(-1) ?? ''), ...known };
}

/** The label of one of the values that a member can have. */
export function valueName(value: string) {
  return valueNames[value] ?? spaced(value).toLowerCase();
}

/** `shortBreak` as `Short break`. */
export function spaced(name: string) {
  const words = name
    .replaceAll(/([A-Z])/g, ' $1')
    .replaceAll(/[-_]/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
