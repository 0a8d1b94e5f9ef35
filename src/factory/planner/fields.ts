import type { Field, Lang } from '../spec.ts';
import { isFeature } from './features.ts';
import { headOf } from './heads.ts';
import { type DraftField, fieldFrom, knownConcept } from './item.ts';
import { type ListText, listTexts } from './lists.ts';
import { closed, splitList } from './split.ts';
import { isStyle } from './style.ts';

export interface StatedFields {
  readonly fields: readonly DraftField[];
  /** They followed “fields:” or the like, so nothing else is wanted. */
  readonly explicit: boolean;
}

/** Clauses have more words than a field's name has; what neither is one is no field. */
const clauses =
  /^(?:whether|if|ob|si|s[’']|when|wann|cuándo|quand|how|wie|wie ?viel\p{L}*|cuánt\p{L}+|combien|what (?:it|they|i|we) (?:cost|paid|spent)|who|wer|quién|qui|where|wo|dónde|où|what|was|qué)(?!\p{L})/iu;
const sentence =
  /^(?:we|i|it|they|you|ich|wir|es|nous|je|on|yo)\s|^(?:wollen|möchten?|will|würden?|können|kann|sollen?|muss|soll) (?:wir|ich|man|es)(?!\p{L})|\s(?:want|wants|should|möchte|will|quiero|voudrais|veux)\s/iu;

const small =
  /^(?:the|a|an|of|in|to|their|its|der|die|das|des|den|dem|von|el|la|los|las|de|del|su|sus|un|una|le|les|du|des|une|l[’']|d[’'])$/iu;
/** “A club with 40 members” says how many there are. */
const counted =
  /^(?:\d+|two|three|four|five|six|ten|zwei|drei|vier|fünf|zehn|dos|tres|cuatro|cinco|diez|deux|trois|quatre|cinq|dix)\s/iu;
/** “Project tracker + client + hours”: the first says what is built. */
const built =
  /(?<!^(?:the|a|an|each|every|which|what))\s(?:app|tracker|tracking|tool|website|\p{L}*liste?|planner|manager|form|formular|software)$|^(?:\p{L}+liste|(?:app|application|aplicación|formulario|formulaire|liste|lista) .*)$/iu;

/** “Waste in kg per day” is measured so; “totals per day” is a wish. */
const perTime =
  /(?<=\sin \p{L}{1,12}) (?:per|a|pro|por|par) (?:day|week|month|year|tag|woche|monat|jahr|día|semana|mes|año|jour|semaine|mois|an)$/iu;

/** “Times per day” is a number that somebody knows; “totals per day” are worked out. */
const frequency =
  /^(?:(?:times|doses|pills|tablets|hours|glasses|cups|pages|price|cost|pay|rate|rent|fee) (?:per|a|each)|(?:\p{L}+ )?(?:mal|stunden|preis|kosten|dosen) (?:pro|am)|(?:veces|horas|precio|dosis) (?:por|al)|(?:fois|heures|prix|doses) par) \p{L}+$/iu;

const isField = (item: string): boolean => {
  const plain = item.replace(/\(.*/u, '').trim();
  const length = plain.split(/\s+|(?<=[ld][’'])/iu).filter((word) => !small.test(word)).length;
  if (sentence.test(plain) || built.test(plain) || counted.test(plain)) return false;
  if (frequency.test(plain)) return length <= 5;
  return clauses.test(plain) ? length <= 9 : length <= 5 && !isFeature(item.replace(perTime, ''));
};

/** “White, black, opening, date”: a colour in front of fields is one, at the end of a list it is a wish for the look. */
const isColourOf = (item: string, behind: readonly string[]): boolean =>
  isStyle(item) && /^\p{L}{3,12}$/u.test(item) && behind.filter((other) => isField(other)).length >= 2;

/** The fields in the text of a list. */
function read(text: string, lang: Lang): DraftField[] {
  return splitList(withChoices(text, lang))
    .flatMap((item) => runOf(item, lang))
    .filter((item, at, all) => isField(item) || isColourOf(item, all.slice(at + 1)))
    .map((item) => fieldFrom(item, lang))
    .filter((field) => field !== null);
}

/** “Salad or cake” at the end of a list is one field with two options, unless each is a field that is known. */
function withChoices(text: string, lang: Lang): string {
  const plain = text.replace(
    shift,
    (_all, label: string, one: string, other: string) => `${label}${closed}(${one},${closed}${other})`,
  );
  return plain.replace(choice, (all, lead: string, one: string, or: string, other: string) =>
    knownConcept(one, lang) || knownConcept(other, lang) || headOf(one, lang) || headOf(other, lang)
      ? all
      : `${lead}${[one, or, other, `(${one},`, `${other})`].join(closed)}`,
  );
}

/** “Shift morning or evening”: the word before says what is chosen. */
const shift =
  /(?<!\p{L})(turno|shift|slot|size|talla|größe|taille|colou?r|farbe|gender|geschlecht|sexo|type|typ|tipo|day|tag|día|jour|session|level|nivel|niveau|diet|format|hand) (\p{L}{3,20}) (?:or|oder|o|ou) (\p{L}{3,20})(?=$|[,.])/giu;
const choice =
  /(,[^,]*, )(?!(?:and|und|y|et|or|oder|o|ou) )(\p{L}{3,20}) (or|oder|o|ou) (\p{L}{3,20})(?=$|,)/giu;

/** “Sets reps weight” are three fields without a comma; “due date” is one. */
function runOf(item: string, lang: Lang): string[] {
  const run = wordRun(item, lang);
  return run.length >= 3 && run.join(' ') === item ? run : [item];
}

/** The names of known fields that stand side by side: two at the end of a text, or three anywhere. */
export function wordRun(text: string, lang: Lang): string[] {
  const words = text.trim().split(/\s+/);
  let longest: string[] = [];
  for (let start = 0; start < words.length; start++) {
    const run: string[] = [];
    let at = start;
    while (run.length < 14) {
      const size = [3, 2, 1].find(
        (count) =>
          at + count <= words.length &&
          !small.test(words[at] ?? '') &&
          knownConcept(words.slice(at, at + count).join(' '), lang) !== null,
      );
      if (size === undefined) break;
      run.push(words.slice(at, at + size).join(' '));
      at += size;
    }
    const rest = words.slice(at);
    // An unknown word or two at the end go on with a long row: “species length weight bait”.
    if (
      run.length >= 3 &&
      rest.length <= 2 &&
      rest.every(
        (word) =>
          /^\p{L}{3,20}$/u.test(word) && !/^(?:for|and|with|für|und|mit|para|con|pour|avec)$/iu.test(word),
      )
    )
      run.push(...rest);
    if (run.length >= (at === words.length ? 2 : 3) && run.length > longest.length) longest = run;
    // A row that begins within this one is shorter.
    start = Math.max(start, at - 1);
  }
  return longest;
}

const typed = (field: DraftField) => field.concept !== null || field.type !== 'text';

/** Whether a list is one of fields. What is kept track of must look more like it than what is asked for. */
function convinces({ sort }: ListText, fields: readonly DraftField[], items: number): boolean {
  const sure = fields.filter(typed).length;
  if (sort === 'asked') return fields.length >= 2 || sure >= 1;
  if (sort === 'with') return (fields.length >= 2 && fields.length >= items / 2) || sure >= 1;
  if (sort === 'kept') return fields.length >= 2 && sure >= Math.max(2, items / 2);
  if (sort === 'bare') return items >= 3 && fields.length >= items / 2 && sure >= fields.length / 2;
  return fields.length >= 1;
}

/**
 * Of two lists one of which holds the other, the one that begins at its first item is exact (“noter la voie, …”);
 * one that begins at a later item is part of it.
 */
function replaces(other: ListText, list: ListText): boolean {
  if (other.text === list.text) return other.at < list.at || (other.at === list.at && other.sort < list.sort);
  if (list.sort === 'kept' && other.sort !== 'kept' && list.text.includes(other.text)) return true;
  if (other.sort === 'kept' && list.sort !== 'kept') return false;
  const inner = list.text.indexOf(other.text);
  if (inner > 0) return !/[,;(]/u.test(list.text.slice(0, inner));
  const outer = other.text.indexOf(list.text);
  return outer > 0 && /[,;(]/u.test(other.text.slice(0, outer));
}

let last: { prompt: string; lang: Lang; found: StatedFields } | undefined;

/**
 * The fields that a prompt lists. What asks for a feature or is a whole clause is no field. A plan asks for them more
 * than once, so the last answer is kept.
 */
export function statedFields(prompt: string, lang: Lang): StatedFields {
  if (last?.prompt !== prompt || last.lang !== lang) last = { prompt, lang, found: fieldsIn(prompt, lang) };
  return last.found;
}

function fieldsIn(prompt: string, lang: Lang): StatedFields {
  const { explicit, stated } = listTexts(prompt);
  const sure = explicit ? read(explicit, lang) : [];
  const lists = stated.map((list) => ({
    ...list,
    fields: read(list.text, lang),
    items: splitList(list.text).length,
  }));
  const added = lists.filter(({ sort }) => sort === 'added').flatMap(({ fields }) => fields);
  if (sure.length > 0) return { fields: distinct([...sure, ...added]), explicit: true };
  const good = lists.filter(
    (list) => !['added', 'bare'].includes(list.sort) && convinces(list, list.fields, list.items),
  );
  const apart = good.filter((list) => !good.some((other) => replaces(other, list)));
  const asked = apart.some(({ sort }) => sort === 'asked');
  const [first] = apart.filter(({ sort }) => sort !== 'asked');
  // Of lists that are no question the first is meant; in running text all that look like fields are.
  const chosen = apart.filter(
    (list) =>
      list.sort === 'asked' ||
      (list === first && !asked) ||
      (list.fields.length >= 2 && list.fields.filter(typed).length > list.fields.length / 2),
  );
  const fields = chosen.flatMap((list) => list.fields);
  if (fields.length > 0) return { fields: distinct([...fields, ...added]), explicit: false };
  const bare = lists.find((list) => list.sort === 'bare' && convinces(list, list.fields, list.items));
  if (bare) return { fields: distinct([...bare.fields, ...added]), explicit: false };
  if (added.some(({ type }) => type === 'select')) return { fields: distinct(added), explicit: false };
  const run = wordRun(prompt.replace(/[.!]+$/u, ''), lang)
    .map((word) => fieldFrom(word, lang))
    .filter((field) => field !== null);
  return { fields: distinct(run), explicit: false };
}

function distinct(fields: readonly DraftField[]): DraftField[] {
  const labels = fields.map((field) => field.label.toLowerCase());
  return fields.filter((_, index) => labels.indexOf(labels[index] ?? '') === index).slice(0, 12);
}

/** Fields with our own keys, the first of them required. */
export function numbered(drafts: readonly DraftField[]): Field[] {
  return drafts.slice(0, 14).map(({ label, type, options, total }, index) => ({
    key: `f${index}`,
    label,
    type,
    ...(index === 0 && type !== 'checkbox' ? { required: true } : {}),
    ...(type === 'select' ? { options: [...options] } : {}),
    ...(total && total !== 'sum' ? { total } : {}),
  }));
}
