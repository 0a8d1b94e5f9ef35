import type { Lang, Question } from '../../spec.ts';
import { words } from '../words.ts';
import { capitalQuestions, flagQuestions } from './quiz/capitals.ts';
import { elementQuestions, kanaQuestions } from './quiz/tables.ts';
import { vocabulary } from './quiz/words.ts';
import { quizTopics } from './quiz-topics.ts';
import { operationsIn, sums } from './sums.ts';

export type Topic =
  | keyof typeof quizTopics
  | 'capitals'
  | 'flags'
  | 'maths'
  | 'elements'
  | 'hiragana'
  | 'katakana';

/** Words of each subject; the first that fits is taken, so the narrow ones come first. */
const topicWords = (
  [
    ['hiragana', 'hiraganas?'],
    ['katakana', 'katakanas?'],
    ['flags', 'flags?|flaggen\\p{L}*|fahnen|banderas?|drapeaux?'],
    ['capitals', 'capitals?|haupts?tädte?\\p{L}*|haupts?t[aä]dten?|capital(?:es)?|capitale?s?'],
    [
      'maths',
      'maths?|mathematics?|mathe\\p{L}*|multiplication|times tables?|(?:\\p{L}+)?einmaleins|arithmetic|kopfrechnen|rechnen|matemáticas?|matematicas?|tablas? de multiplicar|multiplicar|mathématiques?|tables? de multiplication',
    ],
    [
      'elements',
      'chemical elements?|chemistry elements?|elements|periodic table|periodensystem\\p{L}*|chemische elemente|elementos|tabla periódica|éléments|tableau périodique|chemistry|chemie\\p{L}*|química|quimica|chimie',
    ],
    [
      'firstAid',
      'first[- ]aid|erste[- ]?hilfe\\p{L}*|primeros auxilios|premiers secours|premiers soins|secourisme|cpr',
    ],
    ['html', 'html5?|css|web ?design basics'],
    [
      'space',
      'space|solar system|planets?|astronomy|astronauts?|universe|sonnensystem\\p{L}*|weltraum\\p{L}*|weltall|planeten\\p{L}*|astronomie|universum|espacio|sistema solar|planetas?|astronomía|universo|espace|système solaire|planètes?|univers',
    ],
    [
      'body',
      'human body|anatomy|körper|menschlicher körper|anatomie|cuerpo humano|anatomía|corps humain|bones|knochen|huesos',
    ],
    [
      'animals',
      'animals?|wildlife|zoo|mammals|tiere?|tierquiz|tierwelt|zoologie|zoology|animales|fauna|animaux|birds?|vögel|dogs|cats',
    ],
    [
      'biology',
      'biology|bio|biologie\\p{L}*|biología|biologia|biologie|cells?|photosynthesis|genetics|genetik',
    ],
    ['physics', 'physics|physik\\p{L}*|física|fisica|physique'],
    ['football', 'football|soccer|fußball\\p{L}*|fussball\\p{L}*|fútbol|futbol|foot|world cup|bundesliga'],
    ['sports', 'sports?|sportquiz|sportarten|olympi\\p{L}*|deportes?|juegos olímpicos|jeux olympiques'],
    [
      'movies',
      'movies?|films?|cinema|hollywood|filme|filmquiz|kino\\p{L}*|películas?|peliculas?|cine|cinéma',
    ],
    [
      'food',
      'food|cooking|cuisine|foodie|essen|küche|kochen|lebensmittel|comida|cocina|gastronomía|gastronomie',
    ],
    [
      'history',
      'history(?! of)|(?:welt)?geschichte(?! (?:von|der|des))|geschichtsquiz|historia(?! de)|histoire(?! d)|world history',
    ],
    ['music', 'music(?!ians?)|musical|instruments?|musik|musikquiz|instrumente|música|musica|musique'],
    [
      'computing',
      'computers?|computing|computer science|programming|coding|javascript|python|informatik|programmier\\p{L}*|informática|programación|ordenadores|informatique|programmation|ordinateurs',
    ],
    [
      'geography',
      'geograph\\p{L}*|countries|erdkunde|geogra[fp]h?ie\\p{L}*|länder\\p{L}*|geografía|geografia|países|paises|géographie|pays|world|continents?|kontinente|rivers|mountains',
    ],
    ['science', 'science|sciences|nature|natur|naturwissenschaft\\p{L}*|ciencias?|naturaleza|stem'],
    [
      'general',
      'general knowledge|allgemeinwissen|allgemeinbildung|pub quiz|kneipenquiz|cultura general|culture générale|random|mixed',
    ],
  ] as const satisfies readonly (readonly [Topic, string])[]
).map(([topic, source]) => [topic, words(source)] as const);

/** The subject of a prompt that has ready questions. */
export function topicOf(prompt: string): Topic | null {
  if (operationsIn(prompt).length > 0) return 'maths';
  // In “biologiequiz” and “capitals-quiz” the subject is part of the word.
  const plain = prompt.replace(
    /[-–]?(?:quiz|trivia|karteikarten|lernkarten)(?:zes|ze|app)?(?!\p{L})/giu,
    ' ',
  );
  return topicWords.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
}

/** Questions with one right and three wrong answers. */
function quizQuestions(topic: Topic, lang: Lang, prompt: string, cards = false): Question[] {
  switch (topic) {
    case 'capitals':
      return capitalQuestions(prompt, lang);
    case 'flags':
      return flagQuestions(prompt, lang);
    case 'maths':
      return sums(prompt);
    case 'elements':
      return elementQuestions(lang, cards);
    case 'hiragana':
    case 'katakana':
      return kanaQuestions(topic, lang, cards);
    default:
      return quizTopics[topic][lang].map((line) => {
        const [question = '', answers = ''] = line.split('=');
        const [answer = '', ...wrong] = answers.split('~');
        return { prompt: question, answer, wrong };
      });
  }
}

/** The questions or cards for a prompt, and whether they are on its subject. */
export function questionsFor(
  prompt: string,
  lang: Lang,
  cards: boolean,
): { readonly questions: Question[]; readonly topic: Topic | 'words' | null } {
  const topic = topicOf(prompt);
  // “Spanish history” is history, “Spanish words” are words.
  const learnt = topic === null || topic === 'animals' || topic === 'food' ? vocabulary(prompt, lang) : null;
  const asksWords = words(
    'vocab\\p{L}*|words?|vokabel\\p{L}*|wörter|verbs?|verben|vocabular\\p{L}*|palabras|vocabulaire|mots|language|learn\\p{L}*|lernen|aprender|apprendre',
  ).test(prompt);
  if (learnt && (cards || asksWords || topic === null)) return { questions: learnt, topic: 'words' };
  return { questions: quizQuestions(topic ?? 'general', lang, prompt, cards), topic };
}
