import { words } from './words.ts';

/** People for whom an app is made. They are never what it keeps: “ein Board für mein Team”, “para mi equipo”. */
const people =
  'team|teams|crew|class|classroom|grade|family|families|kids?|children|son|daughter|baby brother|toddlers?|friends?|mum|mom|mother|dad|father|parents|grandma|grandpa|grandparents|wife|husband|partner|girlfriend|boyfriend|roommates?|flatmates?|housemates?|boss|colleagues?|coworkers?|co-workers?|company|business|school|office|department|group|community|household|startup|staff|first graders|beginners|mannschaft|klasse|schulklasse|familie|kinder|kind|sohn|tochter|freunde?|freundin|mama|mutter|papa|vater|eltern|oma|opa|frau|mann|mitbewohner|wg|chef|kollegen|kolleginnen|firma|schule|büro|abteilung|gruppe|haushalt|anfänger|equipo|clase|familia|niños?|niñas?|hij[oa]s?|amig[oa]s?|madre|mamá|padre|papá|padres|abuel[oa]s?|mujer|marido|novi[oa]|compañer[oa]s(?: de piso)?|jefe|colegas|empresa|colegio|escuela|oficina|grupo|equipe|équipe|classe|famille|enfants?|fils|fille|ami[es]*|copains|mère|maman|père|parents|grands-parents|femme|mari|colocs?|colocataires?|collègues|entreprise|école|bureau|groupe|débutants?';
const whose =
  '(?:my|our|the|a|an|his|her|their|mein(?:e[nrms]?)?|unser(?:e[nrms]?)?|das|die|den|ein(?:e[nrm]?)?|mis?|nuestr[oa]s?|el|la|los|las|una?|mon|ma|mes|notre|nos|le|les|un|une|des)';
const phrase = new RegExp(
  `${words(`(?:for|between|among|für|unter|zwischen|para|entre|pour|with|con|mit|avec)\\s+(?:${whose}\\s+)?(?:(?!(?:${people})\\s)[\\p{L}-]{3,12}\\s+)?(?:${people})`).source}`,
  'giu',
);

/** The prompt with blanks where it says for whom: every other word stays at its place. */
export function withoutAudience(prompt: string): string {
  return prompt.replace(phrase, (found) => ' '.repeat(found.length));
}
