import type { Entity, Lang } from '../spec.ts';
import type { Assumption } from './assumptions.ts';
import { contactIn } from './contact.ts';
import { placeIn } from './event.ts';
import { numbered, statedFields } from './fields.ts';
import { type DraftField, lexiconField } from './item.ts';
import { pollOf } from './poll.ts';
import { dayIn, timeIn } from './site-facts.ts';
import { questionField, surveyQuestions } from './survey.ts';
import { capitalised, inLang, shortened } from './text.ts';

export interface FormContent {
  readonly entity: Entity;
  readonly copy: Readonly<Record<string, string>>;
  readonly said: readonly Assumption[];
}

const formTexts = {
  rsvp: 'name status=coming quantity email notes',
  form: 'name email rating notes',
};
const coming =
  'I’ll be there,Maybe,Cannot come|Ich komme,Vielleicht,Kann nicht|Iré,Quizás,No puedo|Je viens,Peut-être,Je ne peux pas';
const replies = 'Your answer|Deine Antwort|Tu respuesta|Votre réponse';
const thanks = 'Thank you!|Vielen Dank!|¡Gracias!|Merci !';
/** The fields and texts of a form, a poll or an answer to an invitation. */
export function formContent(variant: string, prompt: string, lang: Lang): FormContent {
  const copy = { thanks: inLang(thanks, lang) };
  const plural = inLang('Answers|Antworten|Respuestas|Réponses', lang);
  const names = { singular: inLang('answer|Antwort|respuesta|réponse', lang), plural };
  if (variant === 'poll') {
    const { question, options, said } = pollOf(prompt, lang);
    const field: DraftField = { label: inLang(replies, lang), type: 'select', concept: null, options };
    return {
      entity: { ...names, fields: numbered([field]) },
      copy: { ...copy, question },
      said,
    };
  }
  const asked = variant === 'form' ? surveyQuestions(prompt, lang) : [];
  if (asked.length > 0)
    return {
      entity: { ...names, fields: numbered(asked.map((question) => questionField(question, lang))) },
      copy,
      said: [],
    };
  const { fields, explicit } = statedFields(prompt, lang);
  const defaults = defaultFields(variant, lang);
  const enough = explicit || fields.length >= 2;
  const drafts = enough
    ? variant === 'rsvp'
      ? withReply(fields, defaults)
      : fields
    : [...defaults, ...fields.filter((field) => !defaults.some((other) => other.concept === field.concept))];
  const intro = introOf(prompt, lang);
  return {
    entity: { ...names, fields: numbered(drafts) },
    copy: { ...copy, ...(intro ? { intro } : {}) },
    said: enough ? [] : ['fields'],
  };
}

function defaultFields(variant: string, lang: Lang): DraftField[] {
  return (formTexts[variant === 'rsvp' ? 'rsvp' : 'form'] ?? '').split(' ').map((reference) => {
    const [id = ''] = reference.split('=');
    const field = lexiconField(id, lang);
    if (id === 'quantity')
      return {
        ...field,
        label: inLang('Number of people|Personenzahl|Número de personas|Nombre de personnes', lang),
      };
    return reference.includes('=')
      ? { ...field, label: inLang(replies, lang), options: inLang(coming, lang).split(',') }
      : field;
  });
}

const replied =
  /attend|coming|will (?:you )?come|confirm|rsvp|answer|reply|response|antwort|zusage|kommt|dabei|teilnahme|asist|respuesta|confirma|vien|présen|réponse/iu;

/** An answer to an invitation says who comes and whether they do, also when only other fields are listed. */
function withReply(stated: readonly DraftField[], defaults: readonly DraftField[]): DraftField[] {
  const [name, reply] = defaults;
  const own = stated.find(
    (field) => field.concept === 'name' || /name|nombre (?!de)|^nombre$|^nom$/iu.test(field.label),
  );
  const answered = stated.some(
    (field) => ['select', 'checkbox'].includes(field.type) && replied.test(field.label),
  );
  return [
    ...(own ? [own] : name ? [name] : []),
    ...(answered || !reply ? [] : [reply]),
    ...stated.filter((field) => field !== own),
  ];
}

/** Day, time and place that the prompt names, to stand above the form. */
function introOf(prompt: string, lang: Lang): string | null {
  const day = dayIn(prompt);
  if (day === null) return null;
  const yearly = day.startsWith('@');
  const date = new Date(`${yearly ? `2028-${day.slice(1)}` : day}T00:00:00Z`);
  const form: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', timeZone: 'UTC' };
  const when = new Intl.DateTimeFormat(
    lang,
    yearly ? form : { ...form, weekday: 'long', year: 'numeric' },
  ).format(date);
  const parts = [when, timeIn(prompt), placeIn(prompt, lang, contactIn(prompt, lang).address)].filter(
    (part) => part,
  );
  return capitalised(shortened(parts.join(' · '), 200), lang);
}
