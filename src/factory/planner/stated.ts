import { capitalised, shortened } from './text.ts';
import { words } from './words.ts';

/** Words that announce a list of things for a page, in four languages. */
const announced = {
  projects: 'projects?|works?|projekte|arbeiten|proyectos|trabajos|projets|travaux|réalisations',
  skills: 'skills?|fähigkeiten|kenntnisse|habilidades|conocimientos|compétences',
  path: 'experience|work history|worked at|jobs|berufserfahrung|erfahrung|werdegang|experiencia|expérience|education|ausbildung|studium|formación|formation',
  tour: 'tour ?-?dates?|tour|gigs?|shows?|concerts?|tourdaten|tourdates|tourtermine|konzerte|konzerttermine|auftritte|conciertos|fechas de (?:la )?gira|gira|dates de (?:la )?tournée|tournée',
  menu: 'menu|menü|speisekarte|menú|carta|carte',
  team: 'team|members|mitglieder|band ?members|besetzung|equipo|miembros|integrantes|équipe|membres|staff|line-?up',
  services:
    'services|leistungen|servicios|prestations|offers?|angebot|wir bieten|we offer|ofrecemos|nous proposons|classes|courses|kurse|clases|cursos|cours',
  features: 'features|funktionen|funciones|características|fonctionnalités|fonctions',
  programme: 'programme?|schedule|agenda|timeline|ablauf|programm|programa|déroulement|itinerary',
  topics:
    'about|on|covering|covers|topics|questions about|über|zu|zum thema|themen|rund um|sobre|temas|acerca de|sur|thèmes|à propos de',
  questions: 'faqs?|häufige fragen|preguntas frecuentes|questions fréquentes',
  albums: 'albums?|songs|alben|lieder|discos|álbumes|canciones|chansons',
} as const;

export type StatedList = keyof typeof announced;

/** Where a list ends: the next thing that is asked for. */
const nextThing = words(
  `${Object.entries(announced)
    .filter(([list]) => list !== 'topics')
    .map(([, source]) => source)
    .join(
      '|',
    )}|testimonials?|reviews|gallery|galerie|galería|contact(?: form| details)?|kontakt\\p{L}*|contacto|prices?|pricing|preise|precios|tarifs|prix|opening hours|öffnungszeiten|horario|horaires|phone|tel|email|e-mail|newsletter|map|karte|mapa|blog|dress ?code|dark (?:mode|theme)|search|suche|open`,
);
/** Subjects are wide: only what cannot be one ends their list. */
const afterTopics = words(
  'with|mit|con|avec|in (?:dark|light|blue|green|red|\\p{L}+ mode)|dark mode|search(?:able)?|suche|for (?:our|my|new)|für (?:unsere?|neue)|para (?:nuestr[oa]s?|mi)|pour (?:notre|nos|mon)',
);
const ends = /[.;\n!?](?=\s|$)|\)/u;
const bridge =
  /^\s*(?::|-|–|=|\(|\s(?:like|such as|are|include|including|wie|como|comme|sind|son|sont)\s)\s*/iu;
const openers =
  /^(?:and|und|y|e|et|with|mit|con|avec|for|für|para|pour|of|von|de|in|on|at|page|section|list|form|the|die|der|das|los|las|les)(?!\p{L})/iu;

const separators = /\s*[,;/]\s*(?:(?:and|und|y|e|et|&)\s+)?|\s+(?:and|und|sowie|y|e|et|&|plus)\s+/iu;

export function splitItems(text: string): string[] {
  return text
    .split(separators)
    .map((item) => item.trim().replace(/^(?:and|und|y|et|the|our|my)\s+/iu, ''))
    .map((item) => item.replace(/^["“„«']+|["”“»']+$/gu, ''))
    .filter((item) => item.length >= 2);
}

/**
 * The things that a prompt lists under such a word: “skills: Figma, user research” gives both. Without a colon it takes
 * two of them, so that “with skills and projects” lists nothing.
 */
export function statedList(prompt: string, list: StatedList): string[] {
  const pattern = new RegExp(words(announced[list]).source, 'giu');
  for (const match of prompt.matchAll(pattern)) {
    const rest = prompt.slice(match.index + match[0].length, match.index + match[0].length + 600);
    const led = bridge.exec(rest)?.[0] ?? '';
    const text = rest.slice(led.length);
    const end = Math.min(
      ...[ends, list === 'topics' ? afterTopics : nextThing].map(
        (stop) => stop.exec(text)?.index ?? text.length,
      ),
      text.length,
    );
    const items = splitItems(text.slice(0, end).replace(/\s+(?:and|und|y|et|with|mit|con|avec)\s*$/iu, ''));
    const listed = items.filter((item) => item.split(/\s+/u).length <= 8);
    const told = led !== '' ? listed.length > 0 : listed.length > 1 && !openers.test(text.trimStart());
    if (told) return listed.slice(0, 12).map((item) => capitalised(shortened(item, 100), 'en'));
  }
  return [];
}
