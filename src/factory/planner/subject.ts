import type { Lang } from '../spec.ts';
import { capitalised, inLang } from './text.ts';

const quizWords =
  'quiz\\p{L}*|trivia|flash ?-?cards?|karteikarten|lernkarten|tarjetas(?: de (?:memoria|estudio))?|cartes (?:mémoire|mémo|de révision)';
const about: Record<Lang, string> = {
  en: '(?:about|on|to learn|for learning)\\s+(?:the |my |our )?',
  de: '(?:über|zum thema|rund um|zu[rm]?)\\s+(?:das |die |den |mein\\p{L}* )?',
  es: '(?:sobre|acerca de|para aprender|de)\\s+(?:el |la |los |las |mi )?',
  fr: "(?:sur|à propos de|pour apprendre|des|du|de|d[’'])\\s*(?:le |la |les |l[’']|mon |ma )?",
};
const small = 'of|the|des|der';
const tail =
  /\s+(?:with|for|in|and|that|which|mit|für|und|auf|con|para|y|en|avec|pour|et|as|als)(?:\s.*)?$/iu;

/**
 * What a quiz is about: “about the solar system” gives “Solar System”, “music quiz” “Music”. Null when the prompt does not
 * say.
 */
export function subjectOf(prompt: string, lang: Lang): string | null {
  // “Of the” does not count: “planets of the solar system”.
  const phrase = `((?:(?:(?:${small})\\s){0,2}[\\p{L}\\p{N}’'-]+\\s?){1,4})`;
  const loose = lang === 'es' || lang === 'fr';
  // In Spanish and French “de” says it only right behind the quiz.
  const found =
    new RegExp(`(?<!\\p{L})(?:${quizWords})\\s+${about[lang]}${phrase}`, 'iu').exec(prompt)?.[1] ??
    (loose
      ? new RegExp(
          `(?<!\\p{L})(?:sobre|acerca de|sur|à propos de)\\s+(?:el |la |los |las |le |les |l[’'])?${phrase}`,
          'iu',
        )
      : new RegExp(`(?<!\\p{L})${about[lang]}${phrase}`, 'iu')
    ).exec(prompt)?.[1] ??
    (lang === 'en'
      ? qualifiers(prompt)
      : new RegExp(`(?<!\\p{L})(?:${quizWords})\\s+${phrase}`, 'iu').exec(prompt)?.[1]);
  const subject = found?.replace(tail, '').trim();
  if (
    !subject ||
    !hasSubject(subject) ||
    /^(?:with|mit|con|avec)\s|^(?:it|this|that|me|everything|anything|alles|todo|tout)$/iu.test(subject)
  )
    return null;
  return lang === 'en'
    ? subject.replace(/(?<![\p{L}\p{N}’'])(?!(?<=\s)(?:of|the|and)\s)\p{L}/gu, (letter) =>
        letter.toUpperCase(),
      )
    : capitalised(subject, lang);
}

/** “European capitals” of “a fun European capitals quiz”. */
function qualifiers(prompt: string): string | undefined {
  const before = new RegExp(`(?<![\\p{L}’'-])((?:[\\p{L}’'-]+ ){1,4})(?:${quizWords})(?!\\p{L})`, 'iu').exec(
    prompt,
  )?.[1];
  const said = before?.trim().split(' ') ?? [];
  return said.slice(said.findLastIndex((word) => !hasSubject(word)) + 1).join(' ') || undefined;
}

/** What is practised, in the user's own words. */
const practised =
  /(?<!\p{L})(?:multiplication tables?|times tables?|multiplication|addition|subtraction|division|mental (?:maths?|arithmetic)|(?:\p{L}+)?einmaleins|kopfrechnen|rechentrainer|tablas de multiplicar|multiplicar|multiplicaciones|sumas y restas|sumas|restas|divisiones|cálculo mental|tables de multiplication|multiplications|additions|soustractions|divisions|calcul mental)(?!\p{L})/iu;

/** What sums are practised: “times tables” gives “Times Tables”. Null when the prompt wants none. */
function practiceIn(prompt: string, lang: Lang): string | null {
  const found = practised.exec(prompt)?.[0];
  if (found === undefined) return null;
  return lang === 'en'
    ? found.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
    : capitalised(found, lang);
}

/** The name of a quiz or a set of cards: German says it in one word, “Musikquiz”. Null when the prompt tells no subject. */
export function quizName(prompt: string, lang: Lang, cards: boolean): string | null {
  const joined =
    lang === 'de' ? /(?<![\p{L}-])\p{L}[\p{L}-]{2,30}quiz(?!\p{L})/iu.exec(prompt)?.[0] : undefined;
  if (joined) return capitalised(joined, lang);
  const subject = practiceIn(prompt, lang) ?? subjectOf(prompt, lang);
  if (!subject) return null;
  return inLang(
    cards
      ? `${subject} Flashcards|Lernkarten: ${subject}|Tarjetas: ${subject}|Cartes : ${subject}`
      : `${subject} Quiz|Quiz: ${subject}|Quiz: ${subject}|Quiz : ${subject}`,
    lang,
  );
}

/** Whether a prompt for a quiz says more than that it wants one. */
export function hasSubject(prompt: string): boolean {
  const plain = prompt
    .toLowerCase()
    .replace(
      /(?<!\p{L})(?:quiz\p{L}*|trivia|flash ?-?cards?|karteikarten|lernkarten|tarjetas|cartes|cuestionario|app|application|game|spiel|juego|jeu|make|build|create|me|a|an|the|my|our|fun|simple|nice|cool|for|with|and|kids|children|family|friends|party|questions?|multiple|choice|something|ein|eine|für|mit|und|kinder|freunde|fragen|erstelle|bitte|un|una|para|con|niños|amigos|preguntas|crea|une|pour|avec|enfants|amis|in|dark|mode|blue|green|red|purple|pink|orange|blau|rot|grün|rojo|azul|verde|bleu|rouge|vert)(?!\p{L})/giu,
      ' ',
    );
  return /\p{L}{3}/u.test(plain);
}
