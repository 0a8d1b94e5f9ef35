import type { Lang } from '../spec.ts';
import { clauseOf, ticking } from './clause.ts';
import { isProperty } from './content/samples.ts';
import { isFeature } from './features.ts';
import { headOf } from './heads.ts';
import { knownConcept } from './item.ts';
import { splitList } from './split.ts';
import { isStyle } from './style.ts';
import { capitalised, shortened } from './text.ts';
import { words } from './words.ts';

/** Lists of things to tick off: what stands behind them is rather what is on the list than what each entry has. */
const lists = words(
  [
    '(?:shopping|grocery|groceries|packing|camping|to-?do|task|wish|chores?|bucket|gift|christmas|errands?|supply|cleaning|party|things) ?-?list',
    'to-?dos?',
    '(?:\\p{L}+-?)?check-?list[es]?',
    'list (?:of|for) (?:my |our |the )?(?:\\p{L}+ )?(?:chores|groceries|errands|tasks|to-?dos|gifts|presents|wishes|supplies|shopping|packing|things)(?: to (?:do|buy|pack|get))?',
    'things to (?:do|buy|pack|get)',
    '(?:\\p{L}*einkaufs|\\p{L}*pack|\\p{L}*aufgaben|to-?do-?|wunsch|check|putz|merk|erledigungs|besorgungs|geschenke)liste',
    '(?:einkaufs|wunsch|merk|pack)zettel',
    'liste der (?:hausarbeiten|aufgaben|besorgungen|einkäufe)',
    'lista de (?:la )?(?:compras?|maleta|equipaje|tareas|deseos|pendientes|regalos|verificación|comprobación|cosas(?: (?:por|que|para) \\p{L}+)?|supermercado|quehaceres)',
    "(?:to-?do ?-?)?liste (?:de |des |d[’'])(?:courses|tâches|souhaits|cadeaux|bagages|choses à \\p{L}+|valise|corvées|vérification|achats|contrôle|envies)",
  ].join('|'),
);
/** What leads from the list to what is on it. */
const lead =
  /^([^,;:.!?\n]{0,70}?)(\s?:\s+|\s[-–—]\s|\s(?:with|mit|con|avec|containing|including|incl\.|like|such as|wie|como|comme|incluyendo|contenant)\s+)/iu;
/** A colon further back leads to the list, not the word before it: “a checklist for moving with kids: pack, …”. */
const colon = /^[^,;:.!?\n]{0,90}?\s?:\s+/u;

/** What an entry of such a list has, beside the fields that the lexicon knows. */
const property =
  /^(?:(?:an? |the |eine? |una? |une? )?(?:tags?|labels?|sub-?tasks?|sections?|groups?|contexts?|projects?|reminders?|shops?|stores?|aisles?|departments?|brands?|amounts?|quantit(?:y|ies)|checkbox(?:es)?|progress(?: bar)?|bars?|icons?|emojis?|categories|lists?|sharing|sync|colou?rs?|items?|tasks?|entries|unteraufgaben|etiketten|abschnitte|projekte?|erinnerung(?:en)?|läden|laden|geschäfte?|mengen?|kategorien|häkchen|kästchen|fortschritt|aufgaben|artikel|frequency|recipients?|occasions?|effort|estimates?|rooms?|units?|sizes?|weights?|häufigkeit|empfänger|anlass|aufwand|frecuencia|destinatarios?|ocasión|fréquence|destinataires?|subtareas|etiquetas|secciones|proyectos?|recordatorios?|tiendas?|cantidad(?:es)?|categorías|casillas|progreso|tareas|artículos|sous-tâches|étiquettes|sections|projets?|rappels?|magasins?|quantités?|catégories|cases|progression|tâches|articles))$/iu;
const sureConcepts = new Set(
  'quantity price category priority due notes done status amount date link assignee level supplier paid time budget progress what task name title'.split(
    ' ',
  ),
);
const wishes =
  /(?:mode|csv|export|filters?|search|view|drag[- ]and[- ]drop|ansicht|suche)$|^(?:sort(?:ing|ed|able)?|grouped|group|filter(?:ing|ed)?) by /iu;

/** “A column for quantity” is asked for beside the entries. */
const column =
  /^(?:an? |another |eine? |una? |une? )?(?:field|column|box|feld|spalte|campo|columna|champ|colonne)s? (?:for|with|für|mit|para|pour) /iu;

/** Whether an item is certainly something that each entry has. */
function isSure(item: string, lang: Lang): boolean {
  const concept = knownConcept(item, lang);
  return (
    property.test(item) || clauseOf(item, lang) !== null || (concept !== null && sureConcepts.has(concept))
  );
}

/** Whether an item is certainly no entry. */
function isAsked(item: string, lang: Lang): boolean {
  return (
    isSure(item, lang) ||
    column.test(item) ||
    ticking.test(item) ||
    isStyle(item) ||
    wishes.test(item) ||
    (!item.includes(' ') && isFeature(item)) ||
    item.split(/\s+/u).length > 8 ||
    /^(?:i|we|it|they|ich|wir|man|es|yo|je|nous|on)\s|\((?:[^()]*[,/])/iu.test(item)
  );
}

/** Whether it may be a field as well: “owner”, “weight”. “2 kg flour” has its amount with it. */
const mayBeField = (item: string, lang: Lang) =>
  !/\d/u.test(item) && (knownConcept(item, lang) !== null || headOf(item, lang) !== null || isProperty(item));

export interface StatedEntries {
  readonly entries: readonly string[];
  /** The prompt without them. */
  readonly rest: string;
}

/**
 * What a prompt puts on a list: “shopping list with milk, eggs, bread” has three things to buy, “shopping list with
 * quantity and store” has two fields. Null where it lists none.
 */
export function entriesIn(prompt: string, lang: Lang): StatedEntries | null {
  const list = lists.exec(prompt);
  if (!list) return null;
  const from = list.index + list[0].length;
  const behind = prompt.slice(from, from + 1200);
  const led = (colon.exec(behind) ?? lead.exec(behind))?.[0];
  if (led === undefined) return null;
  const [text = ''] = behind.slice(led.length).split(/[.!?](?:\s|$)|\n\s*\n|;\s/u);
  const items = splitList(text.replace(/\n/gu, ', ')).map((item) => plain(item));
  const kept = items.filter((item) => !isAsked(item, lang));
  if (kept.length < 2 || kept.filter((item) => mayBeField(item, lang)).length * 2 >= kept.length) return null;
  // Behind “with” one sure field makes fields of the others: “wish list with occasion, price, link”.
  const sure = items.filter((item) => isSure(item, lang) && !column.test(item)).length;
  if (sure * (led.includes(':') ? 1 : 3) > kept.length) return null;
  const others = items.filter((item) => !kept.includes(item));
  const rest = [
    prompt.slice(0, from + led.length).replace(others.length > 0 ? /$/u : /[\s:–—-]*$/u, ''),
    others.join(', '),
    prompt.slice(from + led.length + text.length),
  ].join('');
  return {
    entries: [...new Set(kept.map((item) => capitalised(shortened(item, 80), lang)))].slice(0, 20),
    rest: others.length > 0 ? rest : rest.replace(dangling, ''),
  };
}

/** “With” and no list behind it. */
const dangling =
  /\s(?:with|mit|con|avec|containing|including|incl\.|like|such as|wie|como|comme|incluyendo|contenant)\s*(?=$|[.!?;])/iu;

/** Without an article and without a colour for the app at its end. */
function plain(item: string): string {
  const bare = item.replace(
    /^(?:an?|the|some|eine?n?|etwas|der|die|das|una?|unos|unas|el|la|los|las|une?|du|des|le|les)\s+/iu,
    '',
  );
  const look = /\s(?:in|en)\s(?:\p{L}+ ){0,2}\p{L}+$/iu.exec(bare);
  return look && isStyle(look[0].trim()) ? bare.slice(0, look.index) : bare;
}
