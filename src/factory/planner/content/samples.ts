import type { Lang } from '../../spec.ts';
import { inLang } from '../text.ts';
import { words } from '../words.ts';

/**
 * Examples for texts that no entry of the lexicon brings along, by what the label speaks of: English | German | Spanish |
 * French. The first that fits is taken.
 */
const samples: readonly (readonly [RegExp, string])[] = (
  [
    [
      '(?:part|article|item|model|serial|product) (?:number|no\\.?)|(?:teile|artikel|serien|modell|inventar|bestell)nummer|sku|code|ref(?:erence)?|referencia|référence|artikelnummer|teilenummer|lot|dye lot|charge|batch|signatur',
      'A-104,B-210,C-316|A-104,B-210,C-316|A-104,B-210,C-316|A-104,B-210,C-316',
    ],
    [
      '(?:plot|hive|hose|bed|room|box|locker|table|seat|kennel|stall|court|pitch|lane) (?:number|no\\.?)|number|\\p{L}*nummer|nr\\.?|número|numéro|id|n\\.?º',
      '12,17,23|12,17,23|12,17,23|12,17,23',
    ],
    [
      'supplier|vendor|manufacturer|brand|maker|lieferant|hersteller|marke|proveedor|fabricante|marca|fournisseur|fabricant|marque|publisher|verlag|editorial|éditeur',
      'Hartmann,Nordal,Lumen|Hartmann,Nordal,Lumen|Ruiz,Nordal,Lumen|Hubert,Nordal,Lumen',
    ],
    ['colou?r|\\p{L}*farbe|color|couleur', 'Blue,Green,Grey|Blau,Grün,Grau|Azul,Verde,Gris|Bleu,Vert,Gris'],
    [
      'material|fibre|fiber|fabric|\\p{L}*stoff|tela|tejido|tissu|matière|matériau|holzart|wood',
      'Wool,Cotton,Linen|Wolle,Baumwolle,Leinen|Lana,Algodón,Lino|Laine,Coton,Lin',
    ],
    [
      'diameter|durchmesser|diámetro|diamètre|thickness|dicke',
      '12 mm,25 mm,52 mm|12 mm,25 mm,52 mm|12 mm,25 mm,52 mm|12 mm,25 mm,52 mm',
    ],
    [
      'shelf|rack|\\p{L}*regal|\\p{L}*fach|estante|estantería|étagère|rayon|drawer|box|aisle|bin|pasillo|allée',
      '1,2,3|1,2,3|1,2,3|1,2,3',
    ],
    [
      'countr(?:y|ies)|land|\\p{L}*herkunft|herkunftsland|país|pays|origin|origen|origine',
      'Italy,Japan,Norway|Italien,Japan,Norwegen|Italia,Japón,Noruega|Italie,Japon,Norvège',
    ],
    [
      'city|town|stadt|ciudad|ville',
      'Leeds,York,Bath|Köln,Leipzig,Graz|Sevilla,Bilbao,Vigo|Nantes,Lille,Dijon',
    ],
    [
      'storage|storage place|lagerort|location|standort|ubicación|emplacement',
      'Upstairs,Back room,Outside|Oben,Hinterer Raum,Draußen|Arriba,Trastero,Fuera|En haut,Débarras,Dehors',
    ],
    [
      'place|where|\\p{L}*ort|wo|lugar|dónde|lieu|où|venue|spot',
      'At home,In town,By the lake|Zu Hause,In der Stadt,Am See|En casa,En el centro,Junto al lago|À la maison,En ville,Au bord du lac',
    ],
    [
      'room|\\p{L}*raum|zimmer|sala|habitación|pièce|salle',
      'Room 1,Room 2,Kitchen|Raum 1,Raum 2,Küche|Sala 1,Sala 2,Cocina|Salon,Chambre,Cuisine',
    ],
    [
      'route|trail|strecke|ruta|parcours|itinéraire|tour',
      'Along the river,Over the hill,Round the lake|Am Fluss entlang,Über den Berg,Um den See|Junto al río,Por el monte,Alrededor del lago|Le long de la rivière,Par la colline,Autour du lac',
    ],
    [
      '(?:team|group|squad|club)(?: name)?|mannschaft|gruppe|verein|equipo|grupo|équipe|groupe',
      'Falcons,Otters,Foxes|Falken,Otter,Füchse|Halcones,Nutrias,Zorros|Faucons,Loutres,Renards',
    ],
    [
      "what (?:is|was|went) \\p{L}+|what[’']s \\p{L}+|(?:the )?(?:problem|fault|issue|defect|damage|reason)|\\p{L}*schaden|defekt|fehler|mangel|grund|problema|avería|fallo|motivo|problème|panne|défaut|raison",
      'Does not close,Makes a noise,Worn out|Schließt nicht,Macht Geräusche,Abgenutzt|No cierra,Hace ruido,Desgastado|Ne ferme pas,Fait du bruit,Usé',
    ],
    [
      'person(?:ne|a)?,? (?:who|that|qui|que|die) .{2,30}|who(?: \\p{L}+){0,3}|whom|by whom|(?:\\p{L}+ )?(?:holder|owner|keeper|potter|borrower|lender|inspector|customer|client|parent|child|kid|player|member|contact|teacher|coach|trainer|instructor|student|pupil|tenant|volunteer|driver|patient|winner|guest|handler|rider|artist|composer|author|leader|nurse|worker|person|responsible|parent name|in charge)(?: name)?|(?:lent|loaned|given|sold|assigned) to|\\p{L}{2,20}(?:ed|de|ne) by|sold by|wer(?: \\p{L}+){0,3}|\\p{L}*(?:besitzer|halter|pächter|kunde|kundin|kind|mitglied|prüfer|ausleiher|entleiher|partner|fahrer|spieler|trainer|leiter|schüler|mieter|patient|gast|züchter|betreuer|komponist|person)(?:in)?|quién(?: \\p{L}+){0,3}|cliente|soci[oa]|responsable|alumn[oa]|dueñ[oa]|jugador|inquilin[oa]|paciente|propietari[oa]|autor|compositor|qui(?: \\p{L}+){0,3}|client|adhérent|emprunteur|élève|joueur|locataire|propriétaire|bénévole|compositeur|auteur',
      'Alex Reed,Kim Novak,Robin Hale|Alex Renner,Kim Vogt,Robin Hahn|Quim Sanz,Rocío Nova,Leo Prado|Alex Renard,Camille Noël,Robin Leroy',
    ],
    [
      "(?:dog|cat|pet|horse|animal|puppy|pony)(?:[’']s)? name|name des (?:tieres|hundes)|nombre del (?:perro|animal)|nom du (?:chien|chat|cheval)",
      'Luna,Milo,Nala|Luna,Milo,Nala|Luna,Milo,Nala|Luna,Milo,Nala',
    ],
    [
      'breed|hunderasse|raza|race',
      'Labrador,Beagle,Mixed|Labrador,Beagle,Mischling|Labrador,Beagle,Mestizo|Labrador,Beagle,Croisé',
    ],
    [
      '(?:first|last|full|family)? ?name|vorname|nachname|nombre|apellidos?|nom|prénom',
      'Alex,Kim,Robin|Alex,Kim,Robin|Quim,Rocío,Leo|Alex,Camille,Robin',
    ],
    [
      'address|adresse|dirección|street|straße',
      '3 Mill Lane,8 Station Road,21 High Street|Mühlweg 3,Bahnhofstraße 8,Hauptstraße 21|Calle Mayor 3,Calle Sol 8,Plaza Nueva 21|3 rue du Moulin,8 rue de la Gare,21 Grande Rue',
    ],
    [
      'language|sprache|idioma|lengua|langue',
      'English,Spanish,Polish|Deutsch,Spanisch,Polnisch|Español,Inglés,Polaco|Français,Anglais,Polonais',
    ],
    [
      'instrument|instrumento',
      'Violin,Flute,Drums|Geige,Flöte,Schlagzeug|Violín,Flauta,Batería|Violon,Flûte,Batterie',
    ],
    ['unit|einheit|unidad|unité', 'Piece,Box,Bag|Stück,Karton,Beutel|Unidad,Caja,Bolsa|Pièce,Carton,Sac'],
    [
      'dose|dosis|dosage|dosierung',
      '1 tablet,20 ml,2 drops|1 Tablette,20 ml,2 Tropfen|1 pastilla,20 ml,2 gotas|1 comprimé,20 ml,2 gouttes',
    ],
    ['voices?|stimmen?|stimmlage|voz|voces|voix', 'SATB,SSA,TTBB|SATB,SSA,TTBB|SATB,SSA,TTBB|SATB,SSA,TTBB'],
    [
      'bike|bicycle|fahrrad|rad|bici|bicicleta|vélo',
      'City bike,Road bike,Tandem|Stadtrad,Rennrad,Tandem|De paseo,De carretera,Tándem|Vélo de ville,Vélo de course,Tandem',
    ],
  ] as const
).map(([source, texts]) => [words(source), texts] as const);

/** A label of one word, of which “Kiln 1” is an example. */
const oneWord = /^\p{L}[\p{L}-]{2,20}$/u;

/** Words of which there are no several. */
const noNoun =
  /^(?:out|back|in|on|off|what|who|where|why|how|was|wer|wo|qué|quién|quoi|qui|other|else|sonstiges|otros?|autre)$/iu;

/** Whether a label speaks of a property that many things have: a colour, an owner, a place. */
export const isProperty = (label: string): boolean =>
  samples.some(([pattern]) => pattern.exec(label)?.[0].length === label.length);

/** An example for a text of that label; empty where none can be told. */
export function sampleText(label: string, index: number, lang: Lang): string {
  const plain = label.replace(/\s*\(.*$/u, '');
  const known = samples.find(([pattern]) => pattern.exec(plain)?.[0].length === plain.length)?.[1];
  if (known) {
    const texts = inLang(known, lang).split(',');
    return texts[index % texts.length] ?? '';
  }
  return oneWord.test(plain) && !noNoun.test(plain) ? `${plain} ${index + 1}` : '';
}
