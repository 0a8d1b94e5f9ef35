import type { Lang } from '../spec.ts';
import { withoutAudience } from './audience.ts';
import { isEmptyWord, withoutEmptyStart } from './function-words.ts';
import { numerusOf } from './numerus.ts';
import { shortened } from './text.ts';

/** What a prompt says outright that it keeps: “keep track of firings: …”, “unsere Völker erfassen”. */
export interface KeptObject {
  readonly text: string;
  /** Where it stands. */
  readonly index: number;
}

const word = "[\\p{L}][\\p{L}’'-]*";
const phrase = `(${word}(?: ${word}){0,4})`;
const own: Readonly<Record<Lang, string>> = {
  en: '(?:(?:all|of|every|each|my|our|the|a|an|some|his|her|their|its|incoming|new)\\s+)*',
  de: '(?:(?:all|mein|unser|dies|ein|sein|ihr|jed)e[nrms]?\\s+|mein\\s+|unser\\s+|die\\s+|den\\s+|das\\s+|der\\s+)*',
  es: '(?:(?:tod[oa]s|mis?|nuestr[oa]s?|sus?|los|las|el|la|lo|un|una)\\s+)*',
  fr: "(?:(?:tou(?:te)?s|mes|mon|ma|nos|notre|ses|leurs?|les|le|la|des|du)\\s+|[ld][’'])*",
};
const german = '(\\p{L}[\\p{L}-]{3,40})';

/** What stands before or behind the object, the surest first. */
const phrases: Readonly<Record<Lang, readonly RegExp[]>> = {
  en: [
    new RegExp(`(?<!\\p{L})for (?:each|every|any) ${phrase}`, 'iu'),
    new RegExp(
      `(?<!\\p{L})(?:(?:keep|keeping|losing|loses?|lost) track of|track(?:ing|s)?(?= (?:all|my|our|the|every|each|\\p{L}+s(?!\\p{L})|\\p{L}+ \\p{L}+s(?!\\p{L})))|manag(?:e|es|ing)|monitor(?:ing)?|catalogu?(?:e|ing)|organi[sz](?:e|es|ing)|record(?:ing|s)?|log(?:ging)?|(?:list|log|record|register|inventory|database|collection|catalogue?|overview|history) of|track(?:ing|er)? for(?= (?:my|our|all|the)\\s)) ${own.en}${phrase}`,
      'iu',
    ),
    new RegExp(`(?<!\\p{L})(?:lend|loan|borrow|rent)(?:s|ing|ed)?(?: out)? ${own.en}${phrase}`, 'iu'),
    new RegExp(
      `(?<![\\p{L}’'-])(${word}(?: ${word}){0,2}) (?:log|log ?book|stash|register|inventory|collection|records?|tracker|directory|catalogue?|database|list)(?=\\s?[:.,;–-]|\\s(?:with|where|that|showing|of what)(?!\\p{L})|$)`,
      'iu',
    ),
  ],
  de: [
    new RegExp(`(?<!\\p{L})(?:für|bei|zu|pro) jede[nrms]? ${german}`, 'iu'),
    new RegExp(
      `(?<!\\p{L})(?:meine|unsere|alle|die|den|das|aller|unserer|meiner|der|möchten?|wollen|will|müssen|sollen|würden|gerne?|wir|ich|um|und)\\s+(?:\\p{Ll}{3,20}(?:en|e)\\s+)?${german}\\s+(?:zu )?(?:erfasse?n?|verwalten?|dokumentieren?|verfolgen?|notieren?|sammle|sammeln|ordnen|organisieren?|katalogisieren?|überwachen?|tracken|aufschreiben?|eintragen?|planen?|festhalten?|protokollieren?|im (?:Blick|Auge|Griff)|auflisten)(?!\\p{L})`,
      'iu',
    ),
    new RegExp(
      `(?<!\\p{L})(?:verwaltung|liste|übersicht|datenbank|verzeichnis|sammlung|inventar|kartei|protokoll) (?:von|für|über|mit|der|aller|unserer|meiner|unseres|meines)\\s+${own.de}${german}`,
      'iu',
    ),
    new RegExp(`(?<!\\p{L})(?:verleihe|verleihen|leihen|verleiht) ${own.de}${german}`, 'iu'),
    /(?<!\p{L})(\p{L}[\p{L}-]{3,30}?)-?(?:app|liste|sammlung|verwaltung|inventar|verzeichnis|datenbank|kartei|protokoll|übersicht|tracker)(?=\s?[:.,;–-]|\s+(?:mit|wo|in|für)(?!\p{L})|$)/iu,
    new RegExp(`:\\s${own.de}${german} mit (?=[^.]*,)`, 'iu'),
  ],
  es: [
    new RegExp(`(?<!\\p{L})(?:de|para|por|en) cada ${phrase}`, 'iu'),
    new RegExp(
      `(?<!\\p{L})(?:prest(?:amos|ar|o)|alquilamos|apunt(?:ar|amos)|anot(?:ar|amos)|registrar|controlar|gestionar|organizar|administrar|recuerd[ea]|recordar|catalogar|coleccion(?:ar|o)|(?:control|seguimiento|registro|gestión|gestor|lista|inventario|colección|catálogo|base de datos) de) ${own.es}${phrase}`,
      'iu',
    ),
  ],
  fr: [
    new RegExp(`(?<!\\p{L})(?:pour|de|à) chaque ${phrase}`, 'iu'),
    new RegExp(
      `(?<!\\p{L})(?:prêt(?:ons|er|e)|louons|gérer|suivre|répertorier|organiser|enregistrer|cataloguer|collectionner|collectionne|inventorier|noter|recenser|(?:suivi|gestion|liste|registre|inventaire|collection|catalogue|carnet|base de données) (?=de|du|d[’'])(?:de )?)\\s*${own.fr}${phrase}`,
      'iu',
    ),
  ],
};

/** Where the object ends. */
const stop =
  /\s(?:with|mit|con|avec|and|und|y|et|that|which|called|named|namens|including|by|in|on|at|from|to|using|where|so|für|for|para|pour|per|who|die|der|das|zum|is|are|we|i|you|they|it|there|have|has|need|needs|as|like|through|across|of|write|note|we’ve|we've|je|nous|on|que|qui|quiero|hay|queremos|wir|ich|chez|dans|en|del|de|du|des|à|au|aux|over|when|whenever|every|each|[dl][’'][\p{L}’' -]+|daily|weekly|monthly|jeden|täglich|cada|chaque)(?!\p{L}).*$/iu;

/** Times and words that only say that there are entries. */
const noThing =
  /^(?:days?|weeks?|months?|years?|evenings?|mornings?|nights?|entry|entries|items?|ones?|records?|time|person|people|who(?:m|se)?|what|when|where|how|tag|woche|monat|jahr|eintrag|einträge|mal|abend|día|semana|mes|año|una?|uno|elementos?|quién|qué|quoi|jour|semaine|mois|année|fois|soir|éléments?|garage|workshop|warehouse|kitchen|cellar|basement|shed|attic|pantry|office|shop|store|werkstatt|lager|keller|garten|küche|taller|almacén|cocina|tienda|garaje|atelier|entrepôt|cave|cuisine|cabinet|inventory|inventar|inventario|inventaire|stock|stocks?|bestand|lists?|liste|lista|app|application|tool|business|club|studio|team|society|work|losing|einkaufs|pack|aufgaben|wunsch|to-?do|check|merk|putz)$/iu;

/** “Each cat” means all cats. */
const each = /(?<!\p{L})(?:each|every|jede[nrms]?|cada|chaque)(?!\p{L})/iu;
const lending = /^(?:lend|loan|borrow|rent|verleih|leih|prest|alquil|prêt|lou)/iu;
const pronoun =
  /^(?:.{1,2}|it|them|this|that|something|anything|things?|stuff|es|sie|etwas|algo|cosas?|quelque|choses?)$/iu;

/** The thing that a prompt names as what it keeps; null where it names none, or only a place or “entries”. */
export function keptObject(prompt: string, lang: Lang): KeptObject | null {
  const text = withoutAudience(prompt).replace(/\n/gu, ' ');
  for (const pattern of phrases[lang]) {
    const match = pattern.exec(text);
    const found = match?.[1];
    if (!match || found === undefined) continue;
    // “Tool” alone says that an app is wanted, but who lends tools keeps them.
    const lent = lending.test(match[0]);
    const cut = found.replace(stop, '');
    const object = (lent ? cut : withoutEmptyStart(cut)).trim();
    const noun = lang === 'en' || lang === 'de' ? object.split(' ').at(-1) : object.split(' ')[0];
    if (!noun || noThing.test(noun) || (!lent && isEmptyWord(noun)) || pronoun.test(noun)) continue;
    if (lang === 'de' && /^\p{Ll}+(?:lich|ig|isch|en)$/u.test(noun)) continue;
    const several = each.test(match[0]) ? numerusOf(object, lang)[1] : object;
    return { text: shortened(several, 40), index: match.index + match[0].indexOf(object) };
  }
  return null;
}
