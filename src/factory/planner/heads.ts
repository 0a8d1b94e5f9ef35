import type { FieldType, Lang } from '../spec.ts';
import { words } from './words.ts';

/** What the head of a label tells about a field: its type, the concept it stands for, how it is summed up. */
export interface Head {
  readonly type: FieldType;
  readonly concept?: string;
  readonly total?: 'average' | 'none';
  readonly pattern: RegExp;
}

const head = (
  type: FieldType,
  source: string,
  more: { readonly concept?: string; readonly total?: 'average' | 'none' } = {},
): Head => ({ type, ...more, pattern: words(source) });

/**
 * Of several heads in a label the first in this table counts. German joins words, so what precedes the head may be
 * any letters.
 */
export const heads: readonly Head[] = [
  head(
    'date',
    '(?:next|nächste[rsn]?|próxim[oa]|prochaine?) (?!name|steps?|actions?|prices?|levels?|pages?|chapters?|person|players?|owner|opponent|schritte?|aktion|stufe|seite|gegner|paso|nivel|página|jugador|étape|niveau|page|joueur)[\\p{L}-]+(?: [\\p{L}-]+){0,3}',
    { concept: 'next' },
  ),
  head(
    'date',
    '(?:last|zuletzt|letzte[rsn]?|últim[oa]|dernière?) (?!names?|prices?|costs?|amounts?|readings?|values?|page|chapter|person|players?|owner|results?|scores?|weight|word|place|preis|wert|stand|seite|besitzer|ergebnis|gewicht|precio|valor|página|dueñ[oa]|resultado|prix|valeur|page|propriétaire|résultat)[\\p{L}-]+(?: [\\p{L}-]+){0,3}',
    { concept: 'lastdone' },
  ),
  head(
    'number',
    '(?:frames|pieces|bags|boxes|bottles|glasses|cups|jars|litres|liters|loaves|sheets|rolls|packs|packets|pairs|eggs|balls|kilos|grams|tons|bales|buckets|trays|rows|slices|skeins|metres|meters|number|amount) of .{2,30}|(?:\\p{L}{2,20}s|loaves|people|children) (?:sold|collected|laid|baked|made|produced|picked|planted|left|needed|served|caught|harvested|booked|seated|missing|hatched|in stock)|(?:verkaufte|gelegte|gebackene|geerntete|gesammelte|fehlende) \\p{L}+|\\p{L}{3,20}s (?:vendid|recogid|plantad|usad)[oa]s|\\p{L}{3,20}s (?:vendu|récolté|utilisé|planté)e?s',
  ),
  head('email', 'e-?mails?(?: address)?|\\p{L}*-?e-?mail(?:-?adresse)?|correo(?: electrónico)?|courriel'),
  head(
    'text',
    '(?!(?:table|seat|page|chapter|episode|season|week|lane|court|round|floor|jersey|shirt|start|bib|locker|pitch|phone|telephone|mobile) )\\p{L}{2,20} (?:no\\.?|number|numbers)|(?!\\p{L}*(?:tisch|sitz|platz|kapitel|seiten|start|trikot|bahn|spind|telefon|handy|mobil)nummer)\\p{L}+nummer|número de (?:serie|factura|cliente|pedido|cuenta|pasaporte)|numéro de (?:série|facture|client|commande|compte)|matrícula|license plate|kennzeichen|immatriculation',
  ),
  head(
    'phone',
    '(?:tele)?phones?(?: numbers?)?|mobile(?: number)?|cell|whatsapp|\\p{L}*(?:telefon|handy|mobil)(?:nummer)?n?|teléfonos?|móvil|téléphones?|portable',
  ),
  head(
    'number',
    '(?:times|doses|pills|tablets|hours|glasses|cups|pages) (?:per|a|each) \\p{L}+|(?:mal|stunden|dosen) (?:pro|am) \\p{L}+|(?:veces|horas|dosis) (?:por|al) \\p{L}+|(?:fois|heures|doses) par \\p{L}+',
  ),
  head(
    'currency',
    '(?:price|cost|amount|money|sum|fee|deposit|rent|dues) (?:paid|spent|owed|due|raised|saved|asked|sold)|(?:bezahlter|gezahlter) (?:preis|betrag)|precio pagado|importe pagado|prix payé|montant payé',
  ),
  head(
    'checkbox',
    '(?:already |schon |bereits |ya |déjà )?(?:done|completed|finished|paid|unpaid|confirmed|returned|verified|approved|active|attended|delivered|vegan|vegetarian|bought|packed|shipped|signed|sold|checked(?: off)?|ticked(?: off)?|read yet|urgent|available|seen|used up|used|cracked|broken|passed|tested|cleaned|washed|fed|treated|damaged|repaired|framed|vaccinated|insured|lent out|lent|borrowed|replied|taken|collected|picked up|neutered|spayed|chipped|released|fitted|given away|gifted|eaten|drunk|tasted|listened(?: to)?|worn|visited|changed|replaced|inspected|invited|installed|mowed|sterili[sz]ed|in stock\\?|erledigt|bezahlt|bestätigt|zurückgegeben|geliefert|gekauft|gepackt|verkauft|unterschrieben|anwesend|vegetarisch|abgehakt|fertig|gesehen|benutzt|verbraucht|aufgebraucht|getestet|geprüft|gereinigt|repariert|verliehen|ausgeliehen|behandelt|gefüttert|geimpft|kaputt|defekt|geöffnet|eingenommen|genommen|bestanden|gestempelt|gerahmt|verschickt|abgeholt|angemeldet|gelesen|kastriert|gechipt|einsatzbereit|freigelassen|gehört|gegessen|verschenkt|gelungen|probiert|getragen|besucht|versichert|hecho|pagad[oa]s?|confirmad[oa]s?|devuelt[oa]s?|entregad[oa]s?|comprad[oa]s?|vendid[oa]s?|firmad[oa]s?|terminad[oa]s?|vegetarian[oa]|tomad[oa]s?|regalad[oa]s?|escuchad[oa]s?|comid[oa]s?|regad[oa]s?|limpiad[oa]s?|limpi[oa]|revisad[oa]s?|lavad[oa]s?|usad[oa]s?|leíd[oa]s?|prestad[oa]s?|vacunad[oa]s?|reparad[oa]s?|rot[oa]s?|averiad[oa]s?|recibid[oa]s?|aprobad[oa]s?|firmad[oa]s?|recogid[oa]s?|probad[oa]s?|fait|offerte?s?|relâchée?s?|stérilisée?s?|donnée?s?|mangée?s?|goûtée?s?|prêtée?s?|utilisée?s?|réparée?s?|nettoyée?s?|vérifiée?s?|testée?s?|cassée?s?|envoyée?s?|reçue?s?|réservée?s?|prise?s?|vaccinée?s?|traitée?s?|lavée?s?|récupérée?s?|payée?s?|confirmée?s?|rendue?s?|livrée?s?|achetée?s?|vendue?s?|signée?s?|terminée?s?|végétarien(?:ne)?)',
  ),
  head(
    'rating',
    '(?:(?:average |mean )?(?:score|points?|note|marks?|punkte|puntos|rating) )?(?:out of|von|sobre|sur) (?:5|five|fünf|cinco|cinq)|(?:star )?ratings?|stars?|\\p{L}*bewertung(?:en)?|sterne?|valoraci(?:ón|ones)|puntuación|estrellas?|évaluations?|étoiles?',
    {
      concept: 'rating',
    },
  ),
  head(
    'date',
    "(?:due|target|end) dates?|deadlines?|\\p{L}*(?:frist|fälligkeitsdatum)|fechas? (?:límite|de vencimiento)|vencimientos?|dates? (?:limites?|d[’']échéance)|échéances?|fällig\\p{L}*|due(?: back| in| on| by)?|(?:back|return) by",
    {
      concept: 'due',
    },
  ),
  head(
    'date',
    'birthdays?|date of birth|geburtstage?|geburtsdatum|cumpleaños|fecha de nacimiento|date de naissance|anniversaires?',
    {
      concept: 'birthday',
    },
  ),
  head(
    'number',
    '(?:table|seat|page|chapter|episode|season|week|lane|court|round|floor|jersey|shirt|start|bib|locker|pitch) (?:no\\.?|numbers?|nr\\.?)|\\p{L}*(?:tisch|sitz|platz|kapitel|seiten|start|trikot|bahn|spind)nummern?|(?:tisch|platz) ?nr\\.?|(?:número|n\\.?º) de (?:mesa|asiento|dorsal|página|capítulo|pista)|numéro de (?:table|place|siège|page|chapitre|dossard)',
    { total: 'none' },
  ),
  head(
    'number',
    "(?:numbers?|no\\.?) of .{2,30}|counts?|\\p{L}{3,20} count|how many|headcount|anzahl(?: .{2,30})?|zahl der .{2,30}|\\p{L}+(?:anzahl|zahl)|wie viele|número de .{2,30}|cantidad de .{2,30}|cuánt[oa]s|nombre (?:de |d[’']).{2,30}|combien de",
  ),
  head(
    'currency',
    '(?:(?:\\p{L}{2,20} )?(?:prices?|costs?|fees?|amounts?|budgets?|values?|worth|salary|wages?|rent|deposits?|income|revenue|profit|tips?|balance|payments?|donations?|spend|dues|subtotal))|(?:amount|money|sum) (?:paid|spent|owed|due|raised|saved)|\\p{L}*(?:preise?|kosten|betrag|beträge|gebühr|gebühren|wert|miete|kaution|lohn|gehalt|umsatz|einnahmen|gewinn|beitrag|beiträge|honorar|spende|trinkgeld|schulden)|precios?|costes?|costos?|importes?|tarifas?|cuotas?|presupuestos?|valor|alquiler|fianza|sueldo|salario|ingresos|ganancias?|propinas?|prix|coûts?|montants?|tarifs?|frais|cotisations?|valeur|loyer|caution|salaire|revenus?|bénéfices?|pourboires?|€|\\$|eur|usd',
  ),
  head(
    'date',
    'dates?|days?|\\p{L}{2,20}(?:ed|bought|sent|sold|paid) on|\\p{L}{3,25}t am|since when|seit wann|desde cuándo|depuis quand|\\p{L}*(?:datum|daten|termin|termine|tag)|wann|fechas?|día|jour|when|(?:last|next) (?:visit|contact|seen|service|watered|check(?:-?up)?|vaccination|appointment)|(?:letzte[rs]?|nächste[rs]?) \\p{L}+|últim[oa] \\p{L}+|próxim[oa] \\p{L}+|(?:dernière?|prochaine?) \\p{L}+',
    {
      concept: 'date',
    },
  ),
  head(
    'number',
    'durations?|minutes?|(?:cook(?:ing)?|prep(?:aration)?|bak(?:e|ing)|driv(?:e|ing)|reading|play(?:ing)?|travel|brewing|practice|walking) ?times?|time spent|\\p{L}*(?:dauer|minuten)|(?:koch|back|gar|zubereitungs|vorbereitungs|fahr|lese|spiel|lauf|geh|arbeits|übungs|brüh|ruhe)zeit(?:en)?|duración|minutos|tiempo de (?:cocción|preparación|cocinado|horneado|viaje|lectura)|durées?|temps de (?:cuisson|préparation|trajet|lecture|repos)|temps passé',
    { concept: 'minutes' },
  ),
  head('number', "hours?|hrs|\\p{L}*stunden|horas|nombre d[’']heures|heures", { concept: 'hours' }),
  head(
    'time',
    "(?:start |end |arrival |pick-?up |departure )?times?|(?:time |clock )(?:in|out|back)|(?<!\\p{L} )(?:out|back|departure|arrival|abfahrt|ankunft|rückkehr|départ|arrivée|retour|llegada)|\\p{L}*(?:uhrzeit|anfangszeit|startzeit|ankunftszeit|abholzeit|abfahrtszeit)|uhrzeit|hora(?: de \\p{L}+)?|heure(?: (?:de |d[’'])\\p{L}+)?",
  ),
  head(
    'url',
    'urls?|links?|websites?|web ?pages?|homepage|\\p{L}*-?link|webseite|enlaces?|página web|sitio web|liens?|site (?:web|internet)',
  ),
  head(
    'longtext',
    'notes?|comments?|descriptions?|details|remarks?|messages?|ingredients?|instructions?|dietary (?:needs|requirements|restrictions)|allerg(?:y|ies)|special requests?|summary|feedback|reviews?|steps?|\\p{L}*(?:notiz|notizen|kommentar|kommentare|beschreibung|bemerkung|bemerkungen|anmerkungen?|nachricht|zutaten|wünsche|allergien|unverträglichkeiten)|notas|observaciones|comentarios?|descripción|mensaje|ingredientes|alergias|remarques?|commentaires?|descriptif|ingrédients|allergies',
  ),
  head(
    'number',
    '(?:number|percentage|percent|%|score|points?|level \\(\\d)|\\p{L}*(?:punkte|prozent|anteil)|porcentaje|puntos|pourcentage|points',
    {
      total: 'average',
    },
  ),
  head('number', '(?:\\p{L}*jahr|year|año|année|jahrgang|vintage|year built)', {
    concept: 'year',
    total: 'none',
  }),
  // Nobody adds up temperatures and heights.
  head(
    'number',
    '(?:\\p{L}+ )?(?:ph|ph[- ]?(?:value|wert)|temperature|temp|height|width|depth|age|pressure|humidity|speed|diameter in .{1,4})|\\p{L}*(?:temperatur|höhe|breite|tiefe|(?:luft|reifen|öl|wasser|dampf)druck|feuchtigkeit|stockmaß)|(?:lebens)?alter|temperatura|altura|anchura|edad|presión|humedad|température|hauteur|largeur|âge|pression|humidité',
    { total: 'average' },
  ),
  head(
    'number',
    'quantit(?:y|ies)|qty|(?:kilo|centi|milli)?(?:metres?|meters?|metros|mètres)|kilómetros|kilomètres|(?:höhen|kilo|zenti|milli)?meter|elevation(?: gain)?|desnivel|dénivelé|kilos?|grams?|gramos|grammes|litros|litres?|units?|unidades|unités|stück(?:zahl)?|copies|ejemplares|exemplaires|(?:min|max|minimum|maximum|mindest)[ -]?(?:stock|quantity|bestand|menge)|stock (?:mínimo|minimum)|amount of .{2,30}|km|kg|ml|lbs?|miles|weight|height|age|size|length|distance|temperature|stock|width|depth|year|steps|visitors|users|orders|signups|calories|views|clicks|followers|(?:start |end )?odometer|mileage|\\p{L}*kilometerstand|kilometraje|kilométrage|guests|players|people|persons|seats|nights|servings|portions|\\p{L}*(?:menge|mengen|gewicht|größe|höhe|länge|breite|jahr|temperatur|bestand|gäste|personen|besucher|bestellungen|portionen|nächte)|(?:lebens)?alter|cantidad(?:es)?|peso|altura|edad|año|temperatura|visitas|pedidos|personas|raciones|noches|quantités?|poids|taille|hauteur|âge|année|température|visites|commandes|personnes|portions|nuits',
  ),
];

/** English and German have the head of a label at its end, Spanish and French at its front. */
export function headOf(label: string, lang: Lang): Head | null {
  const plain = label.replace(/\(.*$/u, '').replace(perTime, '').trim().toLowerCase();
  const inner = /\((?:in )?(€|\$|eur|usd|%|kg|g|km|m|min|h|cm|ml|l|°c)\)/iu.exec(label)?.[1]?.toLowerCase();
  if (inner) return unitHead(inner);
  const unit =
    /\s(?:in|en) (kg|g|ml|l|m|t|grams?|gramm|km|miles|minutes?|minuten|minutos|min|hours?|stunden|horas|metres?|meters?|metros|mètres|metern?|euros?|eur|€|dollars?|\$|cm|ml|litres?|liters?|liter|litros|percent|prozent|mg\/l|µg\/l|g\/l|mmol\/l|km\/h|mph|mm|m²|m2|qm|m³|°c|°f|bar|psi|volts?|watts?|ampere|hz|db|kwh|ppm|%)$/iu.exec(
      plain,
    )?.[1];
  if (unit) return unitHead(unit.toLowerCase());
  const front = lang === 'es' || lang === 'fr';
  const at = (pattern: RegExp, type: FieldType) => {
    const found = pattern.exec(plain);
    if (!found) return false;
    // “Licence payée” has its participle behind the noun.
    return front && !(type === 'checkbox' && found.index > 0)
      ? found.index === 0
      : found.index + found[0].length === plain.length;
  };
  const ends = heads.find(
    ({ pattern, type }) => !(type === 'checkbox' && asking.test(plain)) && at(pattern, type),
  );
  if (ends || front) return ends ?? null;
  // “Date bought” is a date and “cost per person” money, but “day care” is no day.
  const told = heads.find(({ pattern, type }) => {
    const found = pattern.exec(plain);
    // “Bought from” asks for a shop.
    if (type === 'checkbox' && found && origin.test(plain.slice(found[0].length))) return false;
    return found?.index === 0 && further.test(plain.slice(found[0].length));
  });
  return told ?? null;
}

/** “Waste in kg per day” is measured in kilograms. */
const perTime = /(?<=\s(?:in|en) \p{L}{1,12}) (?:per|pro|por|par) \p{L}{3,10}$/iu;

/** “What is broken” wants to know what, not whether. */
const asking = /^(?:what|who|which|where|was|wer|wo|qué|quién|quoi|qui|ce qui)(?!\p{L})/iu;

const origin = /^ (?:from|by|at|to|von|bei|an|in)(?!\p{L})/iu;

const further =
  /^ (?:of|for|per|by|about|from|to|in|out|until|since|run|flown|driven|slept|left|spent|paid|owed|bought|sold|made|seen|given|taken|\p{L}{2,20}ed|von|für|pro|der|des|über|ab|bis|am|vom|zum|im|in)(?!\p{L})/iu;

/** Units of what is compared and not added up. */
const averaged =
  /^(?:%|percent|prozent|cm|mm|°c|°f|mg\/l|µg\/l|g\/l|mmol\/l|km\/h|mph|bar|psi|volts?|hz|db|ppm)$/u;

function unitHead(unit: string): Head {
  const pattern = /(?!)/u;
  if (/^(?:€|\$|eur|euros?|usd|dollars?)$/u.test(unit)) return { type: 'currency', pattern };
  return {
    type: 'number',
    pattern,
    ...(averaged.test(unit) ? { total: 'average' as const } : {}),
  };
}
