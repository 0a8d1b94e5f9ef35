import type { Field, FieldType, Lang } from '../spec.ts';
import { isFeature } from './features.ts';
import { type Concept, concepts, optionSets } from './lexicon/concepts.ts';
import { listTexts, splitList } from './lists.ts';
import { capitalised, inLang, shortened } from './text.ts';

/** A field on its way into the spec: what it is called, and the concept behind it if it is a known one. */
export interface DraftField {
  readonly label: string;
  readonly type: FieldType;
  readonly concept: string | null;
  readonly options: readonly string[];
  readonly total?: 'sum' | 'average' | 'none';
}

/** A field of the lexicon, written `concept` or `concept:options`. */
export function lexiconField(reference: string, lang: Lang): DraftField {
  const [id = '', set] = reference.split(':');
  const concept = concepts[id];
  if (!concept) throw new Error(`the lexicon has no field ${id}`);
  const options = (set && optionSets[set]) || concept.options;
  return draftOf(id, concept, inLang(concept.labels, lang), options ? inLang(options, lang).split(',') : []);
}

function draftOf(id: string, concept: Concept, label: string, options: readonly string[]): DraftField {
  return {
    label,
    type: concept.type,
    concept: id,
    options,
    ...(concept.total ? { total: concept.total } : {}),
  };
}

const known = new Map<string, string>();
for (const [id, concept] of Object.entries(concepts)) {
  for (const word of [...concept.labels.split('|'), ...(concept.words ?? '').split('|')]) {
    const key = word.toLowerCase().replace(/ \(.*\)$/, '');
    if (key && !known.has(key)) known.set(key, id);
  }
}

const guesses: readonly (readonly [FieldType, RegExp])[] = [
  ['email', /e-?mail|correo|courriel/iu],
  ['phone', /phone|telefon|teléfono|téléphone|mobile|handy/iu],
  ['url', /(?<!\p{L})(url|link|website|webseite|enlace|lien)(?!\p{L})/iu],
  ['date', /date|datum|fecha|deadline|(?<!\p{L})(day|tag|día|jour|birthday|due|fällig\p{L}*)(?!\p{L})/iu],
  [
    'currency',
    /price|cost|amount|budget|fee|salary|revenue|income|preis|kosten|betrag|umsatz|gebühr|lohn|precio|coste|importe|ingresos|prix|coût|montant|tarif|rent|miete|\(?(€|\$|eur|usd)\)?/iu,
  ],
  ['rating', /rating|stars|bewertung|sterne|valoración|estrellas|évaluation|étoiles/iu],
  [
    'checkbox',
    /\?$|^(is|has|ist|hat) |(?<!\p{L})(done|completed|finished|erledigt|bezahlt|paid|hecho|pagado|fait|payé|yes\/no|ja\/nein|checkbox|returned|verified|active)(?!\p{L})/iu,
  ],
  [
    'longtext',
    /notes?|comment|description|details|notiz|beschreibung|kommentar|notas|descripción|comentario|remarque|message|nachricht|mensaje|ingredients|zutaten/iu,
  ],
  [
    'number',
    /number of|count|quantity|qty|hours|minutes|anzahl|menge|stunden|cantidad|horas|nombre de|quantité|heures|(?<!\p{L})(km|kg|ml|miles|weight|height|age|size|length|distance|temperature|score|points|level|stock|width|depth|percent|%|year|steps|visitors|users|orders|signups|calories|views|clicks|besucher|bestellungen|visitas|pedidos|visites|commandes|followers)(?!\p{L})/iu,
  ],
  ['time', /(?<!\p{L})(time|uhrzeit|hora|heure)(?!\p{L})/iu],
];

/** One item of a list as a field: “status (open, done)” has options, “amount” is money, other words are text. */
export function fieldFrom(item: string, lang: Lang): DraftField | null {
  const [, head = item, inside] = /^(.*?)\s*[([]([^)\]]*)[)\]]?$/u.exec(item) ?? [];
  const label = capitalised(
    shortened(
      head
        .replace(
          /^(?:the|a|an|its|their|ein|eine|der|die|das|una?|el|la|los|las|une|le|les|l['’]|optional|each)\s+/iu,
          '',
        )
        .trim(),
      40,
    ),
    lang,
  );
  if (label === '' || !/[\p{L}\p{N}]/u.test(label)) return null;
  const exact = known.get(label.toLowerCase());
  const id =
    exact ??
    known.get(label.toLowerCase().replace(/ies$/, 'y')) ??
    known.get(label.toLowerCase().replace(/s$/, ''));
  const options =
    inside && /[,/|]/.test(inside)
      ? inside
          .split(/[,/|]/)
          .map((option) => capitalised(shortened(option.trim(), 40), lang))
          .filter(Boolean)
          .slice(0, 12)
      : [];
  if (options.length > 1)
    return { label, type: 'select', concept: id ?? null, options: [...new Set(options)] };
  const concept = id === undefined ? undefined : concepts[id];
  if (id !== undefined && concept)
    return draftOf(
      id,
      concept,
      exact && label.toLowerCase() !== inLang(concept.labels, lang).toLowerCase()
        ? label
        : inLang(concept.labels, lang),
      concept.options ? inLang(concept.options, lang).split(',') : [],
    );
  const type = guesses.find(([, pattern]) => pattern.test(`${label} ${inside ?? ''}`))?.[0] ?? 'text';
  return { label, type, concept: null, options: [] };
}

export interface StatedFields {
  readonly fields: readonly DraftField[];
  /** They followed “fields:” or the like, so nothing else is wanted. */
  readonly explicit: boolean;
}

/** The fields that a prompt lists. What asks for a feature or is a whole clause is no field. */
export function statedFields(prompt: string, lang: Lang): StatedFields {
  const { explicit, loose } = listTexts(prompt);
  const read = (text: string) =>
    splitList(text)
      .filter((item) => !isFeature(item) && item.replace(/\(.*/u, '').trim().split(/\s+/).length <= 4)
      .map((item) => fieldFrom(item, lang))
      .filter((field) => field !== null);
  const sure = explicit ? read(explicit) : [];
  if (sure.length > 0) return { fields: distinct(sure), explicit: true };
  const fields =
    loose
      .map(read)
      .find(
        (list) =>
          list.length >= 2 || list.some((field) => field.concept !== null || field.options.length > 0),
      ) ?? [];
  return { fields: distinct(fields), explicit: false };
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
