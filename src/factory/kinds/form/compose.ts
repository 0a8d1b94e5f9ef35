import type { Compose, Draft } from '../../read/draft.ts';
import { entityOf, featuresFor, type PlannedField } from '../../read/parts/fields.ts';
import { allLists, contactOf, sidesOf, wholeItem } from '../../read/parts/lists.ts';
import { capitalised, named, shortened } from '../../read/parts/naming.ts';
import { askedIn, says, tokensIn } from '../../read/parts/words.ts';

const maxAnswerWords = 6;

const sentence = /[^.?!;]*[.?!;]?/gu;

const labelOf = (text: string, { lang }: Draft) =>
  capitalised(lang === 'es' && !text.startsWith('¿') ? `¿${text}` : text, lang).slice(0, 60);

interface Content {
  readonly names: Readonly<Record<string, string>>;
  readonly named: Readonly<Record<string, string>>;
  readonly tagline: string;
  readonly thanks: string;
  readonly answer: { readonly singular: string; readonly plural: string };
  /** The label of what is answered to a poll or an invitation. */
  readonly reply: string;
  readonly coming: readonly string[];
  readonly yesNo: readonly string[];
  /** Words between two of which one is chosen. */
  readonly or: readonly string[];
  /** The fields that a variant has where the prompt lists none. */
  readonly usual: Readonly<Record<string, readonly PlannedField[]>>;
  readonly withoutOptions: string;
  readonly supposed: string;
}

/** The fields that are listed; the question and options of a poll; the usual ones of the variant. */
export const compose: Compose<Content> = (draft, content) => {
  const variant = variantOf(draft, content);
  const question = questionIn(draft);
  const options = variant === 'poll' ? optionsOf(draft) : [];
  const { fields, stated } = fieldsOf(draft, content, variant, options);
  const entity = entityOf(content.answer.singular, content.answer.plural, fields);
  const title = variant === 'poll' ? (question ?? subjectQuestion(draft)) : null;
  return {
    spec: {
      variant,
      name: named(draft, content.named[variant] ?? '', content.names[variant] ?? ''),
      tagline: occasionOf(draft) || content.tagline,
      entity,
      features: featuresFor(entity, ['totals', 'csv', 'undo', 'print', 'dark']).concat(
        entity.fields.some(({ type }) => ['select', 'checkbox', 'rating'].includes(type)) ? ['chart'] : [],
      ),
      contact: contactOf(draft),
      copy: { thanks: content.thanks, ...(title ? { question: shortened(title, 200) } : {}) },
    },
    assumptions: stated ? [] : [variant === 'poll' ? content.withoutOptions : content.supposed],
  };
};

/** A survey whose answers are stated, `hiking, canoe or climbing`, lets one choose. */
function variantOf(draft: Draft, { or }: Content): string {
  const variant = draft.variant || 'form';
  const [list] = allLists(draft);
  const [before, last] = list?.items.slice(-2) ?? [];
  const link = before && last ? tokensIn(draft, { start: before.end, end: last.start }) : [];
  return variant === 'form' && says(link, or) ? 'poll' : variant;
}

function fieldsOf(draft: Draft, content: Content, variant: string, options: readonly string[]) {
  if (variant === 'poll')
    return {
      fields: [
        { label: content.reply, type: 'select', options: options.length > 0 ? options : content.yesNo },
      ] as const,
      stated: options.length > 0,
    };
  const usual = content.usual[variant] ?? content.usual['form'] ?? [];
  const asked = questionsIn(draft, content);
  if (asked.length > 0) return { fields: asked, stated: true };
  if (draft.fields.length === 0) return { fields: usual, stated: false };
  // An answer to an invitation says who comes and whether they do, also where only other fields are listed.
  const [who, reply] = usual;
  const named = draft.fields.some(({ type }) => type === 'text');
  const lead = variant === 'rsvp' ? [...(named || !who ? [] : [who]), ...(reply ? [reply] : [])] : [];
  const [first, ...others] = draft.fields;
  return { fields: named && first ? [first, ...lead, ...others] : [...lead, ...draft.fields], stated: true };
}

/** The choices of a poll: those of a list, or of a field with options. */
function optionsOf(draft: Draft): string[] {
  const [list] = allLists(draft).filter(({ items }) => items.length >= 2);
  const texts =
    list?.items.map((item) => wholeItem(draft, item)) ??
    draft.fields.find(({ options }) => options.length >= 2)?.options ??
    [];
  return [...new Set(texts.map((text) => capitalised(text, draft.lang).slice(0, 60)))].slice(0, 16);
}

/** When and where that is for which one answers, as the prompt says it. */
function occasionOf({ facts, lang }: Draft): string {
  const [date] = facts.dates;
  const [time] = facts.times;
  const places = [...facts.places, ...facts.addresses].map(({ text }) => text);
  const parts = [date?.text, date ? time?.text : undefined, [...new Set(places)].join(', ')].filter(Boolean);
  return shortened(capitalised(parts.join(' · '), lang), 160);
}

/** What a survey asks, with the answers that stand behind a question: items of a list, quoted texts, or sentences. */
function questionsIn(draft: Draft, { yesNo, or }: Content): PlannedField[] {
  const listed = allLists(draft).flatMap(({ items }) => items);
  const asked = listed.filter(({ text }) => text.endsWith('?'));
  if (asked.length > 0 && asked.length === listed.length)
    return asked.map((item) => {
      const options = item.options.length > 0 ? item.options : (sidesOf(item)?.[1].split(', ') ?? []);
      return options.length >= 2
        ? { label: item.text, type: 'select', options }
        : { label: item.text, type: 'longtext', options: yesNo };
    });
  const stated = draft.quoted.map(({ text }) => text).filter((text) => text.endsWith('?'));
  if (stated.length > 0) return stated.map((text) => ({ label: text.slice(0, 60), type: 'longtext' }));
  const sentences = answeredQuestions(draft, or);
  const answered = sentences.some(({ options }) => options && options.length > 0);
  // Questions within a longer list of fields are some of those.
  return (sentences.length > 1 || answered) && sentences.length >= draft.fields.length ? sentences : [];
}

/** What is asked, in quotation marks or in a sentence of the prompt; the last question where there are several. */
const questionIn = (draft: Draft): string | null =>
  draft.quoted.find(({ text }) => text.endsWith('?'))?.text ?? askedIn(draft).at(-1) ?? null;

function subjectQuestion({ subject, lang }: Draft): string | null {
  if (!subject) return null;
  const text = capitalised(subject.text, lang);
  return lang === 'es' ? `¿${text}?` : lang === 'fr' ? `${text} ?` : `${text}?`;
}

/**
 * The sentences of a prompt that ask something, with the answers that stand behind them in parentheses, between strokes,
 * or as a list: `How was it? (good, bad)`, `¿Vuelves? sí / no / quizás`.
 *
 * @param or words between the last two answers
 */
function answeredQuestions(draft: Draft, or: readonly string[]): PlannedField[] {
  const fields: { label: string; type: PlannedField['type']; options: readonly string[] }[] = [];
  for (const [part] of draft.prompt.matchAll(sentence)) {
    const { inside, rest } = bracketed(part.trim());
    const last = fields.at(-1);
    if (last && last.options.length === 0 && inside !== '') choose(last, answersIn(inside, or));
    const text = rest.trim();
    if (text.endsWith('?')) {
      const asked = text.replace(/^.*:\s/u, '').trim();
      if (asked.length > 2) fields.push({ label: labelOf(asked, draft), type: 'longtext', options: [] });
    } else if (last && last.options.length === 0 && inside === '') {
      const answers = answersIn(text.replace(/[.!;]$/, ''), or);
      if (answers.every((answer) => answer.split(' ').length <= maxAnswerWords)) choose(last, answers);
    }
  }
  return fields;
}

/** Parentheses at the begin of what follows a question. */
function bracketed(text: string): { readonly inside: string; readonly rest: string } {
  const match = /^[([]([^)\]]*)[)\]]\s*(.*)$/su.exec(text);
  return match ? { inside: match[1] ?? '', rest: match[2] ?? '' } : { inside: '', rest: text };
}

function answersIn(text: string, or: readonly string[]): string[] {
  const parts = text.split(/\s*[,/|]\s*/);
  const [last = ''] = parts.slice(-1);
  const words = last.split(' ');
  const at = words.findIndex((word) => or.includes(word.toLowerCase()));
  const ends = at < 0 ? [last] : [words.slice(0, at).join(' '), words.slice(at + 1).join(' ')];
  return [...parts.slice(0, -1), ...ends].map((part) => part.trim()).filter((part) => part !== '');
}

function choose(
  field: { type: PlannedField['type']; options: readonly string[] },
  answers: readonly string[],
) {
  if (answers.length < 2) return;
  field.type = 'select';
  field.options = answers.slice(0, 16);
}
