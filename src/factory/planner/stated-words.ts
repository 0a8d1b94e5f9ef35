import { type Lang, langs, type Question } from '../spec.ts';
import { topicOf } from './content/questions.ts';
import { translated } from './content/quiz/dictionary.ts';
import { learntIn } from './content/quiz/words.ts';
import { isFeature } from './features.ts';
import { splitList } from './split.ts';
import { isStyle } from './style.ts';
import { inLang, shortened } from './text.ts';

/** What leads to the words to learn: a colon, or “with the words”. */
const lead =
  /(?:^[^:]{3,120}:\s+|(?<!\p{L})(?:words?|verbs?|terms?|wörter[n]?|wörter|vokabeln?|verben|begriffe[n]?|palabras?|verbos?|términos|mots?|verbes?|termes?)\s+(?!(?:for|of|to|in|from|with|and|für|aus|zu|von|mit|und|de|del|para|en|con|y|du|des|pour|avec|et)\s))([^.:!?=→]{5,800})/iu;
const unknownWord =
  'Write the translation here|Hier die Übersetzung eintragen|Escribe aquí la traducción|Écrivez ici la traduction';
const unknownTerm =
  'Write the answer here|Hier die Antwort eintragen|Escribe aquí la respuesta|Écrivez ici la réponse';

/** “… auf Spanisch” behind the words. */
const inLanguage = /\s(?:in|into|auf|ins|en|al) \p{L}+\s*$/iu;

export interface StatedWords {
  readonly questions: readonly Question[];
  /** Some of them have no answer yet. */
  readonly open: boolean;
}

/** Cards of the words that a prompt lists, with the answers that are known; null where it lists none. */
export function statedWords(prompt: string, lang: Lang): StatedWords | null {
  const list = lead.exec(prompt)?.[1];
  const items = list
    ? splitList(list.replace(inLanguage, '')).filter((item) => !isStyle(item) && !isFeature(item))
    : [];
  const words = items.filter((item) => item.split(/\s+/u).length <= 4 && !/\d/u.test(item));
  if (words.length < 2 || words.length < items.length || words.some((word) => topicOf(word))) return null;
  const pair = learntIn(prompt, lang);
  const answers = words.slice(0, 40).map((word) => answerTo(word, pair, lang));
  const known = answers.filter((answer) => answer !== null);
  const missing = inLang(pair || known.length > 0 ? unknownWord : unknownTerm, lang);
  return {
    questions: answers.map((answer, at) => ({
      prompt: shortened(words[at] ?? '', 100),
      answer: answer ?? missing,
      wrong: [],
    })),
    open: known.length < answers.length,
  };
}

/** The translation into the language that is known, or of a word of that language into the one to learn. */
function answerTo(word: string, pair: ReturnType<typeof learntIn>, lang: Lang): string | null {
  const known = pair?.known ?? lang;
  const targets = pair ? [pair.target] : langs.filter((code) => code !== known);
  for (const target of targets) {
    const answer = translated(word, target, known) ?? (pair ? translated(word, known, target) : null);
    if (answer) return answer;
  }
  return null;
}
