import { shortened } from './text.ts';

/**
 * Trades that carry a name beside them, in the languages that put it behind: “Bäckerei Huber”, “panadería La Espiga”.
 */
const nameBehind =
  "dentist|dentista|dentiste|zahnarzt|zahnärztin|tierarzt|dj|(?:kfz-|auto)werkstatt|bäckerei|konditorei|metzgerei|fleischerei|tischlerei|schreinerei|gärtnerei|buchhandlung|apotheke|blumenladen|weinladen|laden|friseur(?:salon)?|salon|kosmetikstudio|tanzschule|musikschule|fahrschule|yogastudio|tonstudio|studio|atelier|werkstatt|autohaus|kanzlei|(?:zahn|tier)?arztpraxis|praxis|imbiss|kiosk|gasthaus|gasthof|wirtshaus|restaurant|pizzeria|trattoria|bistro|bar|kneipe|eisdiele|weingut|hof|brauerei|rösterei|hotel|pension|ferienwohnung|campingplatz|verein|sportverein|kita|firma|agentur|malerbetrieb|café|cafe|konditorei|panadería|pastelería|restaurante|cafetería|peluquería|barbería|floristería|librería|tienda|taller|clínica|farmacia|bodega|heladería|carnicería|taberna|academia|escuela|gimnasio|hostal|posada|estudio|agencia|taquería|boulangerie|pâtisserie|boucherie|épicerie|fleuriste|librairie|pharmacie|coiffeur|salon de coiffure|restaurant|brasserie|auberge|gîte|hôtel|chambre d[’']hôtes|garage|cabinet|crêperie|ferme|domaine|école|agence|cave|institut";

/** English trades, which stand behind the name: “Blue Heron bookshop”. */
const nameBefore =
  'bakery|pizzeria|restaurant|trattoria|caf[eé]|coffee ?shop|coffee house|tea ?room|diner|bistro|bar|pub|brewery|winery|bookshop|bookstore|flower ?shop|florist|barber ?shop|hair ?salon|salon|spa|gym|studio|hotel|inn|guest ?house|clinic|dental|garage|farm|school|academy|gallery|shop|store|agency';

/** Groups of people, whose name stands alone: “my band The Velvet Foxes”. */
const groups =
  '(?:jazz|rock|pop|punk|metal|folk|indie|cover|blues|big|brass|wedding|party|school|gospel|football|soccer|running|book|chess|handball|theater|theatre)?[ -]?(?:band|choir|chor|orchestra|orchester|trio|quartett?|duo|ensemble|team|club|crew|podcast|startup|start-up|brand|label|company|app|saas|product|blog|magazine|gruppe|verein|mannschaft|marke|grupo|banda|coro|equipo|marca|empresa|groupe|chorale|équipe|marque|entreprise)';

const word = "\\p{Lu}[\\p{L}\\p{N}’'.-]*";
const small = "(?:&|und|y|et|de|del|de la|de l[’']|du|des|la|le|les|el|los|las|am|an der|of|the)";
/** Words with a capital, with small ones between them. */
const name = `(?:${word})(?:\\s+(?:${small}\\s+){0,2}${word}){0,3}`;
/** “de la Gare”, “Zum Goldenen Hirsch”. */
const led = `(?:(?:zum|zur|am|im|de la|de l[’']|du|des|del|de)\\s+)?`;

// Only the trade may be written as it comes: the name must begin with a capital.
const behind = new RegExp(`(?<!\\p{L})((?:\\p{L}{2,20}-)?(?i:${nameBehind}))\\s+((?i:${led})${name})`, 'u');
const before = new RegExp(`(?<![\\p{L}\\p{N}’'.-])(${name})\\s+((?i:${nameBefore}))(?!\\p{L})`, 'u');

const anyName = `(?:(?:The|Die|Der|Das|Los|Las|El|La|Les|Le|L[’'])\\s*)?${name}`;
/** V8 misses some matches of a case-insensitive group behind a counted one, so the first letters stand in both cases. */
const anyCase = groups.replace(/(?<=[|:])\p{Ll}/gu, (letter) => `[${letter.toUpperCase()}${letter}]`);
const group = new RegExp(
  `(?<!\\p{L})(?:[Mm]y|[Oo]ur|[Mm]eine?n?|[Uu]nsere?n?|[Mm]i|[Nn]uestr[oa]|[Mm]on|[Mm]a|[Nn]otre|für (?:die|den|das)|[Tt]he|[Ll]a|[Ee]l|[Ll]e)\\s+(?:[\\p{Ll}-]+\\s){0,2}(?:${anyCase}),?\\s+(${anyName})`,
  'u',
);
/** Written without capitals only a leading “the” shows that a name follows. */
const smallGroup = new RegExp(
  `(?<!\\p{L})(?:my|our) ${groups},? (the (?!best|most|first|only|new|one)\\p{Ll}+(?: (?!with|and|that|which|in|for|to|on|who|from|has)\\p{Ll}+){0,2})`,
  'iu',
);
const ofPlace =
  /^(?:Italian|French|Spanish|German|Greek|Turkish|Chinese|Japanese|Thai|Indian|Mexican|Vietnamese|Korean|American|British|Portuguese|Lebanese|Irish|European|Asian|Italienische[snr]?|Französische[snr]?|Italiano|Mexicano|Vegan|Local|Small|Family|Online|Modern|Cozy|New|Website|Webpage|Homepage|Landing)$/u;

/** “At the Anchor pub” says where people meet, not who they are. */
const atPlace = /(?<!\p{L})(?:at|in|near|opposite|im|beim|chez|en)\s(?:the |our |el |la |le )?$/iu;

const noName =
  /^(?:App|Apps|Webseite|Website|Webpage|Homepage|Page|Seite|Site|Landingpage|Landing|Tracker|Preise|Öffnungszeiten|Speisekarte|Team|Verwaltung|Online|Create|Make|Build|Erstelle|Baue|Bitte|Crea|Créer|Eine?|Un[ae]?|The|A|An|My|Our|I)(?!\p{L})/u;

/** A business that a prompt calls by its trade and its name, and where it does so. */
export interface NamedTrade {
  readonly name: string;
  /** From 0 to 1. */
  readonly at: number;
}

/** “Bäckerei Huber”, “café de la Gare”, “Bella Napoli pizzeria”; null when no trade has a name beside it. */
export function namedTrade(prompt: string): NamedTrade | null {
  const people = group.exec(prompt) ?? smallGroup.exec(prompt);
  if (people && !noName.test((people[1] ?? '').replace(/^the\s/iu, ''))) {
    const own = (people[1] ?? '').replace(/[.,’'-]+$/u, '');
    const capitals = /^\p{Lu}/u.test(own)
      ? own
      : own.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
    return { name: shortened(capitals, 60), at: people.index / prompt.length };
  }
  const found = behind.exec(prompt);
  if (found) {
    const [, trade = '', own = ''] = found;
    const tidy = own.replace(/[.’'-]+$/u, '');
    if (!noName.test(tidy) && tidy.toLowerCase() !== trade.toLowerCase())
      return { name: shortened(`${trade} ${tidy}`, 60), at: found.index / prompt.length };
  }
  const front = before.exec(prompt);
  if (
    !front ||
    atPlace.test(prompt.slice(0, front.index)) ||
    noName.test(front[1] ?? '') ||
    ofPlace.test(front[1] ?? '')
  )
    return null;
  const [, own = '', trade = ''] = front;
  // “Joe’s Garage” is the name as a whole, “Blue Heron bookshop” is not.
  const whole = /^\p{Lu}/u.test(trade) ? `${own} ${trade}` : own;
  return { name: shortened(whole, 60), at: front.index / prompt.length };
}
