import { type Lang, langs } from '../../../spec.ts';

/** Questions of a subject: `question=right~wrong~wrong~wrong` by language. */
export type TopicQuestions = Readonly<Record<Lang, readonly string[]>>;

/** Questions whose four languages stand in one line, separated by `|`, so that none is forgotten in one of them. */
export function asked(lines: readonly string[]): TopicQuestions {
  const column = (lang: Lang) => lines.map((line) => line.split('|')[langs.indexOf(lang)] ?? '');
  return { en: column('en'), de: column('de'), es: column('es'), fr: column('fr') };
}
