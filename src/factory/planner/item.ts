import type { FieldType, Lang } from '../spec.ts';
import { clauseOf, ticking } from './clause.ts';
import { headOf } from './heads.ts';
import { type Concept, concepts, optionSets } from './lexicon/concepts.ts';
import { singulars } from './singular.ts';
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

/** Whether a word or a phrase is that of a known field, in the singular or the plural. */
export function knownConcept(phrase: string, lang: Lang): string | null {
  const key = phrase.toLowerCase();
  return (
    known.get(key) ??
    singulars(key, lang)
      .map((word) => known.get(word))
      .find(Boolean) ??
    null
  );
}

const articles =
  /^(?:(?:the|a|an|which|its|their|his|her|your|our|my|each|every|optional|also|maybe|both|all|some|any|what the|ein|eine|einen|der|die|das|den|dem|deren|dessen|ihren?|seinen?|unseren?|meinen?|jeweils|welche[nrs]?|una?|unos|el|la|los|las|sus?|mis?|nuestr[oa]s?|une?|le|les|des|du|de la|leurs?|son|sa|ses|mon|ma|mes|notre|nos|votre|qu[eé]|quel(?:le)?s?)\s+|l['’]|d['’])/iu;
/** “A field for notes” is the field “Notes”. */
const leadIn =
  /^(?:an? |another |ein |un |une )?(?:field|column|box|feld|spalte|campo|columna|champ|colonne)s? (?:for|with|für|mit|para|pour) /iu;
const relative =
  /\s+(?:(?:that |which )?(?:we|i|they|you) (?:read|own|have|had|like|want|bought|need|visited|watched|tried|made|played|borrowed)|(?:die|das|den) (?:wir|ich|sie) \p{L}+(?: haben)?|que (?:he |hemos |hay )?\p{L}+(?:mos|o|ido|ado|en)|que (?:nous|j[’']|je|ils)\s?\p{L}+(?: \p{L}+)?)$/iu;
const vague =
  /^(?:etc|usw|so on|more|stuff|things|everything|such|other (?:things|stuff)|maybe|a few (?:\p{L}+)|it|them|that|this|one|all)$/iu;

/** One item of a list as a field: “status (open, done)” has options, “amount” is money, other words are text. */
export function fieldFrom(item: string, lang: Lang): DraftField | null {
  const [, head = item, inside = ''] = /^([^([]*?)\s*[([]([^)\]]*)[)\]]?/u.exec(item) ?? [];
  if (ticking.test(head.trim())) return lexiconField('done', lang);
  const options = optionsIn(inside, lang);
  const clause = clauseOf(item, lang) ?? clauseOf(head, lang);
  if (clause && (options.length < 2 || clause.type === 'checkbox')) return clauseField(clause, lang);
  const scale = scaleOf(item, lang);
  if (scale) return scale;
  const plain = unlisted(head);
  const unit = /^(?:in |en )?(?:€|\$|%|kg|g|km|m|min|h|cm|ml|l|°c|eur|usd)$/iu.test(inside)
    ? ` (${inside})`
    : '';
  const label = pronounI(capitalised(shortened(plain, 40), lang), lang) + unit;
  if (plain === '' || vague.test(plain) || !/[\p{L}\p{N}]/u.test(plain)) return null;
  if (options.length > 1) {
    const one = singularLabel(label, lang);
    return { label: one, type: 'select', concept: knownConcept(one, lang), options };
  }
  const slashed = /^(\p{L}[\p{L} ]{1,30}?)(?<!\s(?:in|en)):?\s((?:\p{L}+\/){1,6}\p{L}+)$/u.exec(plain);
  if (slashed?.[1] && slashed[2])
    return {
      label: capitalised(slashed[1], lang),
      type: 'select',
      concept: knownConcept(slashed[1], lang),
      options: optionsIn(slashed[2], lang),
    };
  return knownField(plain, label, lang) ?? headField(label, inside, lang);
}

const scaled =
  /^(.{2,40}?)[\s:,]*[([]?\s?(?:(?:rated|scale|from|von|skala|del?|escala|note) )*1\s?(?:-|–|to|bis|al?|à)\s?(5|10)(?: stars| sterne| estrellas| étoiles)?\s?[)\]]?$/iu;

/** “Temper from 1 to 5” has stars, “pain 1-10” is a number. */
function scaleOf(item: string, lang: Lang): DraftField | null {
  const [, name = '', most] = scaled.exec(item.trim()) ?? [];
  const label = capitalised(shortened(unlisted(name), 40), lang);
  if (!most || !/\p{L}{2}/u.test(label)) return null;
  return most === '5'
    ? { label, type: 'rating', concept: 'rating', options: [] }
    : { label: `${label} (1–10)`, type: 'number', concept: 'level10', options: [], total: 'average' };
}

/** An item without what only leads to it: articles, “in which”, a relative clause. */
function unlisted(head: string): string {
  let plain = head.trim().replace(leadIn, '');
  for (let turn = 0; turn < 3; turn++) plain = plain.replace(articles, '').trim();
  return plain
    .replace(relative, '')
    .replace(/\s+(?:too|as well|auch|también|aussi|please|bitte)$/iu, '')
    .trim();
}

/** English writes it large: “What I did”. */
const pronounI = (label: string, lang: Lang) =>
  lang === 'en' ? label.replace(/(?<= )i(?= |$|[’'])/gu, 'I') : label;

function optionsIn(inside: string, lang: Lang): string[] {
  if (!/[,/|;]|\s(?:or|oder|o|ou|and|und|y|et)\s/u.test(inside)) return [];
  const options = inside
    .split(/[,/|;]|\s(?:or|oder|o|ou|and|und|y|et)\s/u)
    .map((option) =>
      capitalised(shortened(option.replace(/^(?:or|oder|o|ou|and|und|y|et)\s/u, '').trim(), 40), lang),
    )
    .filter((option) => option !== '' && !/^(?:etc|usw|…|\.\.\.)\.?$/iu.test(option));
  return [...new Set(options)].slice(0, 12);
}

function clauseField(clause: NonNullable<ReturnType<typeof clauseOf>>, lang: Lang): DraftField {
  const concept =
    clause.concept ??
    (clause.type === 'checkbox' || clause.type === 'date' ? knownConcept(clause.label, lang) : null);
  const same = concept && concepts[concept]?.type === clause.type ? concept : null;
  const options = same && concepts[same]?.options;
  return {
    label: capitalised(shortened(clause.label, 40), lang),
    type: clause.type,
    concept: same,
    options: options ? inLang(options, lang).split(',') : [],
  };
}

/** A word of the lexicon keeps the label that it has in the prompt, but in the singular. */
function knownField(plain: string, label: string, lang: Lang): DraftField | null {
  const id = knownConcept(plain, lang);
  const concept = id === null ? undefined : concepts[id];
  if (id === null || !concept) return null;
  const field = draftOf(
    id,
    concept,
    withUnit(singularLabel(label, lang), id),
    concept.options ? inLang(concept.options, lang).split(',') : [],
  );
  return field;
}

/** “Mengen” as “Menge” and “dates limites” as “Date limite”; a word that is known itself stays as it is. */
function singularLabel(label: string, lang: Lang): string {
  const key = label.toLowerCase();
  const id = known.get(key);
  const single = singulars(key, lang).find(
    (word) => known.has(word) && (id === undefined || known.get(word) === id),
  );
  // “Prices” is known too, but one entry has one price. Long texts are of many: ingredients, notes.
  if (!single || (id && (concepts[id]?.type === 'longtext' || !/s$/u.test(key))))
    return ownCase(label, id, lang);
  const defaultLabel = inLang(concepts[known.get(single) ?? '']?.labels ?? '', lang).replace(/ \(.*\)$/u, '');
  if (single === defaultLabel.toLowerCase() || single.startsWith(`${defaultLabel.toLowerCase()} `))
    return defaultLabel;
  return capitalised(cased(single, label), lang);
}

/** “sku” is written “SKU”. */
function ownCase(label: string, id: string | undefined, lang: Lang): string {
  const defaultLabel = inLang(concepts[id ?? '']?.labels ?? '', lang);
  return defaultLabel.toLowerCase() === label.toLowerCase() ? defaultLabel : label;
}

/** A duration needs its unit: “30” alone says nothing. */
const withUnit = (label: string, concept: string | undefined) =>
  concept === 'minutes' && !/min|\(/iu.test(label)
    ? `${label} (min)`
    : concept === 'vat' && !label.includes('%')
      ? `${label} (%)`
      : label;

const cased = (single: string, label: string) =>
  label.toLowerCase().startsWith(single) ? label.slice(0, single.length) : single;

function headField(label: string, inside: string, lang: Lang): DraftField {
  const head = headOf(inside && !label.includes('(') ? `${label} (${inside})` : label, lang);
  if (!head) return { label, type: 'text', concept: null, options: [] };
  return {
    label: withUnit(label, head.concept),
    type: head.type,
    concept: head.concept ?? null,
    options: [],
    ...(head.total ? { total: head.total } : {}),
  };
}
