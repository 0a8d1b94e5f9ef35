import type { Entity, Lang } from '../spec.ts';
import type { Assumption } from './assumptions.ts';
import { type DraftField, lexiconField, numbered, statedFields } from './fields.ts';
import { listTexts, splitList } from './lists.ts';
import { withoutStyle } from './style.ts';
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
const pollOptions =
  'Monday,Wednesday,Friday|Montag,Mittwoch,Freitag|Lunes,Miércoles,Viernes|Lundi,Mercredi,Vendredi';
const pollQuestion =
  'Which day suits you?|Welcher Tag passt dir?|¿Qué día te viene bien?|Quel jour vous convient ?';

/** The fields and texts of a form, a poll or an answer to an invitation. */
export function formContent(variant: string, prompt: string, lang: Lang): FormContent {
  const copy = { thanks: inLang(thanks, lang) };
  const plural = inLang('Answers|Antworten|Respuestas|Réponses', lang);
  const names = { singular: inLang('answer|Antwort|respuesta|réponse', lang), plural };
  if (variant === 'poll') {
    const { question, options } = pollOf(prompt, lang);
    const field: DraftField = { label: inLang(replies, lang), type: 'select', concept: null, options };
    return {
      entity: { ...names, fields: numbered([field]) },
      copy: { ...copy, question },
      said: [],
    };
  }
  const stated = statedFields(prompt, lang);
  const usual = (formTexts[variant === 'rsvp' ? 'rsvp' : 'form'] ?? '').split(' ').map((reference) => {
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
  const enough = stated.explicit || stated.fields.length >= 2;
  const kept = enough
    ? stated.fields
    : [...usual, ...stated.fields.filter((field) => !usual.some((other) => other.concept === field.concept))];
  const hasName = kept.some((field) => field.concept === 'name' || /name|nombre|nom/iu.test(field.label));
  const drafts = variant === 'rsvp' && !hasName ? [lexiconField('name', lang), ...kept] : kept;
  return {
    entity: { ...names, fields: numbered(drafts) },
    copy,
    said: enough ? [] : ['fields'],
  };
}

/** What stands behind the last colon or in brackets at the end, if it is a list. */
function listAtEnd(prompt: string): string | undefined {
  const tail = /[:(]([^:()]*)\)?$/u.exec(prompt)?.[1]?.trim();
  return tail && /^[^,].*,./u.test(tail) ? tail : undefined;
}

/** “Pizza, sushi or tacos?” is a question with three options. */
function pollOf(prompt: string, lang: Lang): { question: string; options: string[] } {
  const afterQuestion = /\?\s*([^?]+)$/u.exec(prompt)?.[1];
  const list =
    (afterQuestion?.includes(',') ? afterQuestion : undefined) ??
    listAtEnd(prompt) ??
    listTexts(prompt).explicit ??
    /(?:options?|optionen|opciones|choices|between|zwischen|entre|with|mit|con|avec)\s*:?\s+([^.?!]+)/iu.exec(
      prompt,
    )?.[1];
  const options = list
    ? withoutStyle(splitList(list.replace(/[?.!]+$/u, ''))).map((item) =>
        capitalised(shortened(item.replace(/^(?:options?|optionen|opciones)\s+/iu, ''), 60), lang),
      )
    : [];
  const asked = prompt.includes('?') ? `${prompt.split('?')[0]?.split(/[.:!]/).at(-1)?.trim()}?` : undefined;
  const inWords =
    asked && (asked.split(/\s+/).length > 2 || (/:[^:]*\?/u.test(prompt) && asked.length > 2))
      ? capitalised(
          asked.replace(
            /^(?:a |an |ein(?:e)? |una |un |une )?(?:\p{L}+ )?(?:poll|umfrage|abstimmung|encuesta|votación|sondage)(?: app)?[:,]?\s*/iu,
            '',
          ),
          lang,
        )
      : inLang(pollQuestion, lang);
  return {
    question: shortened(inWords, 160),
    options: options.length >= 2 ? [...new Set(options)].slice(0, 10) : inLang(pollOptions, lang).split(','),
  };
}
