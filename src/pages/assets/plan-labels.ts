import { namesOf } from './json-pointer.ts';

/** What people call a member of a plan. Places in lists are `*`. */
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

const labels: Readonly<Record<string, Label>> = {
  '/kind': { name: 'Kind' },
  '/variant': { name: 'Variant' },
  '/name': { name: 'Name' },
  '/tagline': { name: 'Tagline', hint: 'One line about the app.' },
  '/lang': { name: 'Language' },
  '/icon': { name: 'Icon' },
  '/palette': { name: 'Colours' },
  '/palette/accent': {
    name: 'Colour',
    hint: 'Lighter and darker shades are added, so that all text stays readable.',
  },
  '/palette/mode': { name: 'Light or dark' },
  '/palette/look': { name: 'Look' },
  '/currency': { name: 'Currency', hint: 'Such as EUR.' },
  '/entity': { name: 'Data' },
  '/entity/singular': { name: 'Singular' },
  '/entity/plural': { name: 'Plural' },
  '/entity/fields': { name: 'Fields', one: 'field', title: 'label' },
  '/entity/fields/*/label': { name: 'Name' },
  '/entity/fields/*/type': { name: 'Type' },
  '/entity/fields/*/required': { name: 'Required' },
  '/entity/fields/*/options': { name: 'Options', hint: 'One per line.' },
  '/entity/fields/*/total': { name: 'Summed up as' },
  '/features': { name: 'Features' },
  '/seed': { name: 'Sample entries', one: 'example', folded: true },
  '/sections': { name: 'Sections', one: 'section', title: 'title', folded: true },
  '/sections/*/type': { name: 'Laid out as' },
  '/sections/*/title': { name: 'Heading' },
  '/sections/*/text': { name: 'Text' },
  '/sections/*/items': { name: 'Items', one: 'item', title: 'title', folded: true },
  '/sections/*/items/*/title': { name: 'Title' },
  '/sections/*/items/*/text': { name: 'Text' },
  '/sections/*/items/*/price': { name: 'Price' },
  '/sections/*/items/*/meta': { name: 'Note', hint: 'A time, a year, a place.' },
  '/questions': { name: 'Questions', one: 'question', title: 'prompt', folded: true },
  '/questions/*/prompt': { name: 'Question' },
  '/questions/*/answer': { name: 'Right answer' },
  '/questions/*/wrong': { name: 'Wrong answers', hint: 'One per line, none for a card.' },
  '/hours': { name: 'Opening hours', one: 'line', title: 'days' },
  '/hours/*/days': { name: 'Days' },
  '/hours/*/time': { name: 'Hours' },
  '/contact': { name: 'Contact' },
  '/contact/email': { name: 'E-mail' },
  '/contact/phone': { name: 'Telephone' },
  '/contact/address': { name: 'Address' },
  '/contact/endpoint': {
    name: 'Post answers to',
    hint: 'An address that begins with https://. Nothing is posted from a preview.',
  },
  '/formula': { name: 'Formula' },
  '/formula/inputs': { name: 'Inputs', one: 'input', title: 'label', folded: true },
  '/formula/inputs/*/key': { name: 'Called in formulas', hint: 'Small letters, such as width.' },
  '/formula/inputs/*/label': { name: 'Name' },
  '/formula/inputs/*/unit': { name: 'Unit' },
  '/formula/inputs/*/value': { name: 'Begins with' },
  '/formula/inputs/*/min': { name: 'Smallest' },
  '/formula/inputs/*/max': { name: 'Largest' },
  '/formula/results': { name: 'Results', one: 'result', title: 'label', folded: true },
  '/formula/results/*/key': { name: 'Called in formulas', hint: 'Small letters, such as total.' },
  '/formula/results/*/label': { name: 'Name' },
  '/formula/results/*/expression': {
    name: 'Formula',
    hint: 'Such as ceil(width * height / 10). Also min, max, round, floor, sqrt and abs.',
  },
  '/formula/results/*/unit': { name: 'Unit' },
  '/formula/results/*/decimals': { name: 'Digits after the point' },
  '/grid': { name: 'Calendar' },
  '/grid/rows': { name: 'Rows of a week', hint: 'One per line, none for a month.' },
  '/grid/marks': { name: 'Marks', one: 'mark', title: 'label' },
  '/grid/marks/*/label': { name: 'Meaning' },
  '/grid/marks/*/colour': { name: 'Colour' },
  '/choices': { name: 'Choices', hint: 'One per line.' },
  '/settings': { name: 'Numbers' },
  '/copy': { name: 'Texts' },
  '/assumptions': { name: 'Assumptions' },
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
  return known ?? { name: spaced(names.at(-1) ?? '') };
}

/** What people call one of the values that a member can have. */
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
