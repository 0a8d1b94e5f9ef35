import type { Lang } from '../spec.ts';
import { capitalised, inLang } from './text.ts';

/** What a quiz is about: “about the solar system” gives “Solar System”, “music quiz” “Music”. Null when the prompt does not say. */
export function subjectOf(prompt: string, lang: Lang): string | null {
  const about = {
    en: '(?:about|on)\\s+(?:the |my |our )?',
    de: '(?:über|zum thema|rund um)\\s+(?:das |die |den |mein\\p{L}* )?',
    es: '(?:sobre|acerca de)\\s+(?:el |la |los |las |mi )?',
    fr: "(?:sur|à propos de)\\s+(?:le |la |les |l[’']|mon |ma )?",
  }[lang];
  const found = new RegExp(`(?<!\\p{L})${about}((?:[\\p{L}\\p{N}’'-]+\\s?){1,4})`, 'iu').exec(prompt)?.[1];
  const before = lang === 'en' ? /(\p{L}{3,}) (?:quiz|trivia)(?!\p{L})/iu.exec(prompt)?.[1] : undefined;
  const subject = (found ?? (before && hasSubject(before) ? before : undefined))?.replace(
    /\s+(?:with|for|in|and|that|which|mit|für|und|auf|con|para|y|en|avec|pour|et)(?:\s.*)?$/iu,
    '',
  );
  if (!subject?.trim() || /^(?:it|this|that|me|everything|anything|alles|todo|tout)$/iu.test(subject.trim()))
    return null;
  return lang === 'en'
    ? subject.trim().replace(/(?<![\p{L}\p{N}’'])\p{L}/gu, (letter) => letter.toUpperCase())
    : capitalised(subject.trim(), lang);
}

/** What is practised, in the user's own words. */
const practised =
  /(?<!\p{L})(?:multiplication tables?|times tables?|multiplication|addition|subtraction|division|mental (?:maths?|arithmetic)|(?:\p{L}+)?einmaleins|kopfrechnen|rechentrainer|tablas de multiplicar|multiplicar|multiplicaciones|sumas y restas|sumas|restas|divisiones|cálculo mental|tables de multiplication|multiplications|additions|soustractions|divisions|calcul mental)(?!\p{L})/iu;

/** What sums are practised: “times tables” gives “Times Tables”. Null when the prompt wants none. */
export function practiceIn(prompt: string, lang: Lang): string | null {
  const found = practised.exec(prompt)?.[0];
  if (found === undefined) return null;
  return lang === 'en'
    ? found.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
    : capitalised(found, lang);
}

export function quizName(subject: string, lang: Lang): string {
  return inLang(`${subject} Quiz|Quiz: ${subject}|Quiz: ${subject}|Quiz : ${subject}`, lang);
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
