import type { Lang, Question } from '../../spec.ts';
import { inLang } from '../text.ts';
import { quizTopics } from './quiz-topics.ts';
import { operationsIn, sums } from './sums.ts';

/** Capitals by country code; the country's name comes from the runtime in every language. */
const capitals: readonly (readonly [string, string])[] = [
  ['FR', 'Paris|Paris|París|Paris'],
  ['IT', 'Rome|Rom|Roma|Rome'],
  ['ES', 'Madrid|Madrid|Madrid|Madrid'],
  ['PT', 'Lisbon|Lissabon|Lisboa|Lisbonne'],
  ['JP', 'Tokyo|Tokio|Tokio|Tokyo'],
  ['CA', 'Ottawa|Ottawa|Ottawa|Ottawa'],
  ['AU', 'Canberra|Canberra|Canberra|Canberra'],
  ['BR', 'Brasília|Brasília|Brasilia|Brasilia'],
  ['KE', 'Nairobi|Nairobi|Nairobi|Nairobi'],
  ['NO', 'Oslo|Oslo|Oslo|Oslo'],
  ['AR', 'Buenos Aires|Buenos Aires|Buenos Aires|Buenos Aires'],
  ['TR', 'Ankara|Ankara|Ankara|Ankara'],
];

const sets = {
  capitals: '',
  maths: '',
  science:
    'Which planet is called the Red Planet?=Mars~Venus~Jupiter~Saturn;What do plants take from the air?=Carbon dioxide~Oxygen~Helium~Nitrogen;How many bones has an adult?=206~106~306~406;What is H₂O?=Water~Salt~Oxygen~Hydrogen;Which gas do we need to breathe?=Oxygen~Argon~Neon~Methane;What orbits the Earth?=The Moon~The Sun~Mars~Venus|Welcher Planet heißt der Rote Planet?=Mars~Venus~Jupiter~Saturn;Was nehmen Pflanzen aus der Luft auf?=Kohlendioxid~Sauerstoff~Helium~Stickstoff;Wie viele Knochen hat ein Erwachsener?=206~106~306~406;Was ist H₂O?=Wasser~Salz~Sauerstoff~Wasserstoff;Was kreist um die Erde?=Der Mond~Die Sonne~Der Mars~Die Venus|¿Qué planeta es el planeta rojo?=Marte~Venus~Júpiter~Saturno;¿Qué toman las plantas del aire?=Dióxido de carbono~Oxígeno~Helio~Nitrógeno;¿Cuántos huesos tiene un adulto?=206~106~306~406;¿Qué es H₂O?=Agua~Sal~Oxígeno~Hidrógeno;¿Qué gira alrededor de la Tierra?=La Luna~El Sol~Marte~Venus|Quelle planète est la planète rouge ?=Mars~Vénus~Jupiter~Saturne;Que prennent les plantes dans l’air ?=Le dioxyde de carbone~L’oxygène~L’hélium~L’azote;Combien d’os a un adulte ?=206~106~306~406;Qu’est-ce que H₂O ?=L’eau~Le sel~L’oxygène~L’hydrogène;Qu’est-ce qui tourne autour de la Terre ?=La Lune~Le Soleil~Mars~Vénus',
  general:
    'How many days has a leap year?=366~365~364~360;Which is the largest ocean?=Pacific~Atlantic~Indian~Arctic;How many strings has a violin?=4~5~6~8;Which animal is the tallest?=Giraffe~Elephant~Camel~Horse;In which year did the Berlin Wall fall?=1989~1979~1991~1985;How many colours has a rainbow, as we count them?=7~5~6~9|Wie viele Tage hat ein Schaltjahr?=366~365~364~360;Welcher Ozean ist der größte?=Pazifik~Atlantik~Indischer Ozean~Arktischer Ozean;Wie viele Saiten hat eine Geige?=4~5~6~8;Welches Tier ist das höchste?=Giraffe~Elefant~Kamel~Pferd;In welchem Jahr fiel die Berliner Mauer?=1989~1979~1991~1985|¿Cuántos días tiene un año bisiesto?=366~365~364~360;¿Cuál es el océano más grande?=Pacífico~Atlántico~Índico~Ártico;¿Cuántas cuerdas tiene un violín?=4~5~6~8;¿Qué animal es el más alto?=Jirafa~Elefante~Camello~Caballo;¿En qué año cayó el Muro de Berlín?=1989~1979~1991~1985|Combien de jours a une année bissextile ?=366~365~364~360;Quel est le plus grand océan ?=Pacifique~Atlantique~Indien~Arctique;Combien de cordes a un violon ?=4~5~6~8;Quel animal est le plus haut ?=La girafe~L’éléphant~Le chameau~Le cheval;En quelle année est tombé le mur de Berlin ?=1989~1979~1991~1985',
} as const;

export type Topic = keyof typeof sets | keyof typeof quizTopics;

const topicWords: readonly (readonly [Topic, string])[] = [
  [
    'capitals',
    'capitals?|geograph\\p{L}*|countries|hauptstädte?|erdkunde|geografie|länder|capitales|geografía|países|géographie|pays|flags?',
  ],
  [
    'maths',
    'maths?|mathematics|mathe\\p{L}*|multiplication|times tables?|einmaleins|arithmetic|rechnen|matemáticas|tablas de multiplicar|mathématiques|tables de multiplication',
  ],
  [
    'space',
    'space|solar system|planets?|astronomy|astronauts?|universe|sonnensystem|weltraum|weltall|planeten|astronomie|universum|espacio|sistema solar|planetas|astronomía|universo|espace|système solaire|planètes|univers',
  ],
  ['animals', 'animals?|wildlife|zoo|mammals|tiere|tierwelt|zoologie|animales|fauna|animaux|zoologie'],
  ['body', 'human body|anatomy|körper|menschlicher körper|anatomie|cuerpo humano|anatomía|corps humain'],
  ['football', 'football|soccer|fußball|fussball|fútbol|futbol|foot'],
  ['history', 'history(?! of)|weltgeschichte|geschichte(?! (?:von|der|des))|historia(?! de)|histoire(?! d)'],
  ['music', 'music|musical|instruments?|musik|instrumente|música|musique'],
  [
    'computing',
    'computers?|computing|computer science|programming|coding|javascript|informatik|programmier\\p{L}*|informática|programación|ordenadores|informatique|programmation|ordinateurs',
  ],
  [
    'science',
    'science|physics|biology|chemistry|nature|naturwissenschaft\\p{L}*|biologie|physik|chemie|ciencias?|biología|física|química|sciences|physique|chimie',
  ],
  ['general', 'general knowledge|allgemeinwissen|pub quiz|cultura general|culture générale|random'],
];

/** Questions with one right and three wrong answers. */
export function quizQuestions(topic: Topic, lang: Lang, prompt: string): Question[] {
  if (topic === 'capitals') return capitalQuestions(lang);
  if (topic === 'maths') return sums(prompt);
  const lines =
    topic in quizTopics
      ? quizTopics[topic as keyof typeof quizTopics][lang]
      : inLang(sets[topic as keyof typeof sets], lang).split(';');
  return lines.map((line) => {
    const [question = '', answers = ''] = line.split('=');
    const [answer = '', ...wrong] = answers.split('~');
    return { prompt: question, answer, wrong };
  });
}

/** The subject of a prompt that has ready questions. */
export function topicOf(prompt: string, find: (source: string) => RegExp): Topic | null {
  if (operationsIn(prompt).length > 0) return 'maths';
  return topicWords.find(([, source]) => find(source).test(prompt))?.[0] ?? null;
}

const asks: Record<Lang, (country: string) => string> = {
  en: (country) => `What is the capital of ${country}?`,
  de: (country) => `Hauptstadt gesucht: ${country}`,
  es: (country) => `Capital de este país: ${country}`,
  fr: (country) => `Capitale de ce pays : ${country}`,
};

function capitalQuestions(lang: Lang): Question[] {
  const names = new Intl.DisplayNames(lang, { type: 'region' });
  return capitals.map(([code, texts], index) => ({
    prompt: asks[lang](names.of(code) ?? code),
    answer: inLang(texts, lang),
    wrong: [3, 5, 8].map((step) => inLang(capitals[(index + step) % capitals.length]?.[1] ?? '', lang)),
  }));
}

/** Everyday words in the four languages. */
const words =
  'hello,hallo,hola,bonjour;thank you,danke,gracias,merci;please,bitte,por favor,s’il vous plaît;water,Wasser,agua,eau;bread,Brot,pan,pain;house,Haus,casa,maison;friend,Freund,amigo,ami;to eat,essen,comer,manger;to go,gehen,ir,aller;today,heute,hoy,aujourd’hui;tomorrow,morgen,mañana,demain;beautiful,schön,bonito,beau;train,Zug,tren,train;street,Straße,calle,rue';

const languageNames: readonly (readonly [Lang, string])[] = [
  ['es', 'spanish|spanisch\\p{L}*|español|espagnol'],
  ['fr', 'french|französisch\\p{L}*|francés|français'],
  ['de', 'german|deutsch\\p{L}*|alemán|allemand'],
  ['en', 'english|englisch\\p{L}*|inglés|anglais'],
];

/** Cards with a word and its translation; null when no language that we know is asked for. */
export function vocabulary(prompt: string, lang: Lang, find: (source: string) => RegExp): Question[] | null {
  const target = languageNames.find(([code, source]) => code !== lang && find(source).test(prompt))?.[0];
  if (!target) return null;
  const column = (code: Lang) => ['en', 'de', 'es', 'fr'].indexOf(code);
  return words.split(';').map((line) => {
    const cells = line.split(',');
    return { prompt: cells[column(target)] ?? '', answer: cells[column(lang)] ?? '', wrong: [] };
  });
}
