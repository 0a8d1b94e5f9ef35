import type { Draft } from '../../read/draft.ts';
import type { PlannedField } from '../../read/parts/fields.ts';
import { capitalised } from '../../read/parts/naming.ts';

const maxAnswerWords = 6;
const sentence = /[^.?!;]*[.?!;]?/gu;

/**
 * The sentences of a prompt that ask something, with the answers that stand behind them in parentheses, between strokes,
 * or as a list: `How was it? (good, bad)`, `¿Vuelves? sí / no / quizás`.
 *
 * @param or words between the last two answers
 */
export function answeredQuestions(draft: Draft, or: readonly string[]): PlannedField[] {
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

const labelOf = (text: string, { lang }: Draft) =>
  capitalised(lang === 'es' && !text.startsWith('¿') ? `¿${text}` : text, lang).slice(0, 60);

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
