import type { DraftField } from './item.ts';

const school =
  /(?<!\p{L})(?:school|study|studying|exams?|grades?|homework|lessons?|teachers?|students?|pupils?|tutor\p{L}*|schul\p{L}*|noten|klausur\p{L}*|prüfung\p{L}*|hausaufgaben?|lern\p{L}*|lehrer\p{L}*|nachhilfe|stundenplan|unterricht|escuela|colegio|deberes|exámenes|notas|clases?|alumnos?|école|devoirs|examens?|notes|cours|élèves?|révisions?)(?!\p{L})/iu;

/** The type of a thing that nobody knows is none of home, work and leisure. */
const isSort = ({ concept, label, options }: DraftField) =>
  concept === 'category' &&
  /^(?:type|kind|typ|art|tipo)$/iu.test(label) &&
  /^(?:Home,Work|Zuhause,Arbeit|Casa,Trabajo|Maison,Travail)/u.test(options.join());

/** What a field belongs to. */
interface Context {
  /** A thing that only the prompt knows. */
  readonly free: boolean;
  /** A list of things to tick off. */
  readonly ticked: boolean;
}

/**
 * “Fach” is a subject at school and a compartment in a store; “bought” is a day, but a box on a list to tick off;
 * “amount” says how many where things are counted.
 */
export function inContext(
  field: DraftField,
  defaults: readonly DraftField[],
  prompt: string,
  { free, ticked }: Context,
): DraftField {
  const has = (id: string) => defaults.some(({ concept }) => concept === id);
  const { label, concept } = field;
  const elsewhere =
    concept === 'subject' && !school.test(prompt) && !has('subject') && field.options.length === 4;
  if (elsewhere || (free && isSort(field))) return { label, type: 'text', concept: null, options: [] };
  if (ticked && concept === 'date' && label.toLowerCase() === 'bought')
    return { label, type: 'checkbox', concept: 'done', options: [] };
  if (concept === 'amount' && has('quantity') && !has('price') && label.toLowerCase() === 'amount')
    return { label, type: 'number', concept: 'quantity', options: [] };
  return field;
}
