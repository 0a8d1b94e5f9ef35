import { namesOf } from './json-pointer.js';

/**
 * What people call a member of a plan. Places in lists are `*`.
 * @typedef {object} Label
 * @property {string} name
 * @property {string} [one] of a list: the word for one of its items
 * @property {string} [title] of a list: the member that an item is called by
 * @property {boolean} [folded] of a list: whether its items begin folded
 * @property {string} [hint]
 */

/** @type {Readonly<Record<string, Label>>} */
const labels = {
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
  '/assumptions': { name: 'What was supposed' },
};

/** @type {Readonly<Record<string, string>>} */
const valueNames = {
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

/**
 * @param {string} pointer
 * @returns {Label}
 */
export function labelOf(pointer) {
  const names = namesOf(pointer);
  const known = labels[`/${names.map((name) => (/^\d+$/.test(name) ? '*' : name)).join('/')}`];
  return known ?? { name: spaced(names.at(-1) ?? '') };
}

/**
 * What people call one of the values that a member can have.
 * @param {string} value
 */
export function valueName(value) {
  return valueNames[value] ?? spaced(value).toLowerCase();
}

/**
 * `shortBreak` as `Short break`.
 * @param {string} name
 */
export function spaced(name) {
  const words = name
    .replaceAll(/([A-Z])/g, ' $1')
    .replaceAll(/[-_]/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
