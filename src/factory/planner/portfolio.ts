import type { Lang, Section } from '../spec.ts';
import { contactIn, onlineIn } from './contact.ts';
import { pageTexts, roles } from './content/texts.ts';
import { descriptionIn, items, type SiteParts } from './site.ts';
import { statedList } from './stated.ts';
import { capitalised, inLang, shortened } from './text.ts';
import { words } from './words.ts';

const career = words('cv|resume|résumé|curriculum( vitae)?|currículum|lebenslauf');
const adjectives =
  '(?:wedding|ux|ui|ux/ui|web|graphic|product|interior|fashion|landscape|portrait|software|frontend|front-end|backend|full[- ]stack|mobile|game|freelance|junior|senior|data|3d|motion|sound|garden|tattoo|food|jazz|classical|hochzeits|grafik|produkt|mode|freie[rn]?|selbstständige[rn]?)[ -]?';
const calling =
  '(?:photographer|illustrator|architect|designer|developer|engineer|programmer|writer|author|journalist|copywriter|musician|singer|composer|teacher|tutor|film ?maker|videographer|painter|sculptor|artist|scientist|analyst|manager|nurse|translator|chef|carpenter|dancer|actor|actress|editor|fotograf(?:in)?|architekt(?:in)?|designerin|entwickler(?:in)?|autor(?:in)?|musiker(?:in)?|künstler(?:in)?|lehrer(?:in)?|übersetzer(?:in)?|texter(?:in)?|fotógraf[oa]|arquitect[oa]|diseñador[a]?(?: gráfic[oa]| web)?|desarrollador[a]?(?: web)?|ilustrador[a]?|escritor[a]?|traductor[a]?|periodista|photographe|architecte|développeu(?:r|se)(?: web)?|graphiste|illustrateur|illustratrice|écrivaine?|traduct(?:eur|rice)|journaliste)';
const profession = words(`(?:${adjectives}){0,2}${calling}`);

/** What somebody does, in the prompt's words: “wedding photographer”; the field of work where it only tells that. */
function roleOf(prompt: string, lang: Lang): string {
  const field = roles.find(([source]) => words(source).test(prompt))?.[1];
  const said = profession.exec(prompt)?.[0];
  const general = inLang(field ?? 'Portfolio|Portfolio|Portafolio|Portfolio', lang);
  return said && !general.toLowerCase().includes(said.toLowerCase())
    ? `${capitalised(said, lang)} · ${general}`
    : general;
}

export function portfolioParts(prompt: string, lang: Lang): SiteParts {
  const listed = (stated: readonly string[], defaults: string) =>
    stated.length > 0 ? stated.map((title) => ({ title })) : items(defaults, lang, 'meta');
  const projects = statedList(prompt, 'projects');
  const known = statedList(prompt, 'skills');
  const experience = statedList(prompt, 'path');
  const works: Section = {
    type: 'items',
    title: inLang(projects.length > 0 ? 'Projects|Projekte|Proyectos|Projets' : pageTexts.works, lang),
    items: listed(projects, pageTexts.workItems),
  };
  const path: Section = {
    type: 'timeline',
    title: inLang(pageTexts.path, lang),
    items: listed(experience, pageTexts.pathItems),
  };
  const skills: Section = {
    type: 'tags',
    title: inLang(pageTexts.skills, lang),
    items: listed(known, pageTexts.skillItems),
  };
  const told = projects.length + known.length + experience.length > 0;
  // Who tells of their work wants no invented places of work beside it.
  const shown = (career.test(prompt) ? [path, skills, works] : [works, path, skills]).filter(
    (section) =>
      !told ||
      (section === works ? projects : section === path ? experience : known).length > 0 ||
      (section === works && !career.test(prompt)),
  );
  const description = descriptionIn(prompt);
  return {
    sections: shown,
    hours: [],
    contact: contactIn(prompt, lang),
    copy: {
      role: shortened(roleOf(prompt, lang), 100),
      contactText: shortened(
        [
          inLang(
            'Write to me; I answer soon.|Schreib mir; ich antworte bald.|Escríbeme; respondo pronto.|Écrivez-moi ; je réponds vite.',
            lang,
          ),
          ...onlineIn(prompt),
        ].join(' · '),
        200,
      ),
    },
    tagline: capitalised(shortened(description ?? inLang(pageTexts.portfolioLine, lang), 150), lang),
    examples: ['texts'],
  };
}

const name = "\\p{Lu}[\\p{L}’'-]+(?:\\s+(?:(?:de|von|van|di|la)\\s+)?\\p{Lu}[\\p{L}’'-]+){1,2}";
const owners = [
  new RegExp(
    `(?<!\\p{L})(?i:i[’']?m|i am|my name is|ich bin|ich heiße|soy|me llamo|je suis|je m[’']appelle)\\s+(${name})`,
    'u',
  ),
  new RegExp(`(?<!\\p{L})(?i:${calling})\\s+(${name})`, 'u'),
  new RegExp(`^(${name}),?\\s+(?i:${calling}|portfolio|cv)`, 'u'),
];

/** Whose page it is where no “for” says so: “I’m Sam Rivera”, “photographe Élise Martin”. */
export const ownerIn = (prompt: string): string | null =>
  owners.map((pattern) => pattern.exec(prompt)?.[1]).find((found) => found !== undefined) ?? null;
