import { isProperty } from './content/samples.ts';
import type { DraftField } from './item.ts';

const naming =
  /(?<!\p{L})(?:\p{L}*name|title|titel|nombre|nom|título|titre|album|álbum|person|persona|personne|ansprechpartner(?:in)?)$|^name of |^(?:nombre|nom|título|titre|persona|personne)(?!\p{L})/iu;

/** A number that tells entries apart: “plot number”, “Stocknummer”. */
const numbering =
  /^(?:\p{L}+ )?(?:number|no\.?|nr\.?|id|code)$|^\p{L}*nummer$|^(?:número|numéro|n[.º°]+)(?: de (?!téléphone|teléfono)\p{L}+)?$/iu;

/** A list of fields rarely names the obvious one, so the field that tells entries apart is kept in front. */
export function merged(
  defaults: readonly DraftField[],
  stated: readonly DraftField[],
  explicit: boolean,
  prompt: string,
  free: boolean,
): DraftField[] {
  const [primary] = defaults;
  const leads = (field: DraftField) =>
    field.type === 'text' &&
    (['name', 'title', 'what', 'task'].includes(field.concept ?? '') ||
      field.concept === primary?.concept ||
      (primary?.concept === 'person' && field.concept === 'assignee') ||
      (explicit && field === stated[0]));
  const leader =
    stated.find(leads) ??
    stated.find((field) => field.type === 'text' && naming.test(field.label)) ??
    stated.slice(0, 2).find((field) => field.type === 'text' && numbering.test(field.label)) ??
    stated.slice(0, 1).find((field) => field.type === 'text' && isSubject(field.label, prompt)) ??
    stated
      .slice(0, 1)
      .find((field) => stated.length >= 3 && isThing(field) && (free || isFirst(field, prompt)));
  // What tells entries apart may be stated already: a date, for example.
  const told = primary && stated.some((field) => field.concept === primary.concept);
  const first = leader ?? (told ? undefined : primary);
  const rest = stated.filter((field) => field !== leader);
  const more =
    explicit || stated.length >= 3
      ? []
      : defaults
          .slice(1)
          .filter((field) => !stated.some((other) => same(other, field)))
          .slice(0, 4);
  return [...(first ? [first] : []), ...rest, ...more];
}

/** “Drug, dose, …”: a noun in front that is no usual property of something is the thing itself. */
const isThing = ({ type, concept, label }: DraftField): boolean =>
  type === 'text' && concept === null && /^\p{L}[\p{L}-]{2,20}$/u.test(label) && !isProperty(label);

/** Whether a list that stands behind a colon or a dash begins with it. */
function isFirst({ label }: DraftField, prompt: string): boolean {
  const at = prompt.toLowerCase().lastIndexOf(label.toLowerCase());
  return /(?::|\s[-–—])\s*$/u.test(prompt.slice(0, Math.max(at, 0)));
}

/** “Lent out tools: tool, who has it”: a first field that the prompt names before is what it is about. */
function isSubject(label: string, prompt: string): boolean {
  const key = label.toLowerCase();
  const text = prompt.toLowerCase();
  return key.length > 2 && text.indexOf(key) !== text.lastIndexOf(key);
}

/** Concepts of which an entry needs only one: a due date beside a date says nothing more. */
const alike: readonly (readonly string[])[] = [
  ['amount', 'price', 'value', 'budget', 'salary'],
  ['done', 'present', 'paid', 'returned'],
  ['assignee', 'borrower'],
  ['due', 'next', 'date', 'start'],
  ['minutes', 'hours'],
  ['name', 'title', 'what', 'task'],
  ['category', 'genre', 'subject'],
];

/** Whether a stated field stands for a default one. */
function same(stated: DraftField, defaultField: DraftField): boolean {
  if (stated.concept === defaultField.concept && defaultField.concept !== null) return true;
  if (stated.label.toLowerCase() === defaultField.label.toLowerCase()) return true;
  const group = alike.find((ids) => ids.includes(defaultField.concept ?? ''));
  if (stated.concept === null)
    return (
      (defaultField.type === 'rating' ||
        defaultField.type === 'currency' ||
        defaultField.type === 'phone' ||
        defaultField.type === 'email') &&
      stated.type === defaultField.type
    );
  return group?.includes(stated.concept) ?? false;
}
