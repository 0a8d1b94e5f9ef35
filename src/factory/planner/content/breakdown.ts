import type { Lang } from '../../spec.ts';
import { inLang, words } from '../text.ts';

interface Breakdown {
  readonly pattern: RegExp;
  /** Four usual parts by language, languages separated by `|`. */
  readonly parts: string;
}

/** What figures are split by besides the month: one column for each part, so that they can be compared. */
const breakdowns: readonly Breakdown[] = [
  {
    pattern: words(
      '(?:by|per) (?:month and )?(?:sales )?regions?|(?:pro|nach) (?:\\p{L}+ und )?region(?:en)?|por (?:\\p{L}+ y )?(?:por )?regi(?:ón|on|ones)|par (?:\\p{L}+ et )?(?:par )?régions?',
    ),
    parts: 'North,East,South,West|Nord,Ost,Süd,West|Norte,Este,Sur,Oeste|Nord,Est,Sud,Ouest',
  },
  {
    pattern: words(
      '(?:by|per) (?:month and )?(?:products?|items?)|(?:pro|nach) (?:\\p{L}+ und )?produkt(?:en)?|por (?:\\p{L}+ y )?(?:por )?productos?|par (?:\\p{L}+ et )?(?:par )?produits?',
    ),
    parts:
      'Product A,Product B,Product C|Produkt A,Produkt B,Produkt C|Producto A,Producto B,Producto C|Produit A,Produit B,Produit C',
  },
  {
    pattern: words(
      '(?:by|per) (?:month and )?(?:stores?|shops?|branch(?:es)?|locations?)|(?:pro|nach) (?:\\p{L}+ und )?(?:filialen?|standort(?:en)?|läden)|por (?:\\p{L}+ y )?(?:por )?(?:tiendas?|sucursal(?:es)?)|par (?:\\p{L}+ et )?(?:par )?(?:magasins?|boutiques?)',
    ),
    parts:
      'Branch 1,Branch 2,Branch 3|Filiale 1,Filiale 2,Filiale 3|Tienda 1,Tienda 2,Tienda 3|Magasin 1,Magasin 2,Magasin 3',
  },
  {
    pattern: words(
      '(?:by|per) (?:month and )?channels?|(?:pro|nach) (?:\\p{L}+ und )?(?:kanal|kanälen)|por (?:\\p{L}+ y )?(?:por )?canal(?:es)?|par (?:\\p{L}+ et )?(?:par )?can(?:al|aux)',
    ),
    parts: 'Shop,Online,Phone|Laden,Online,Telefon|Tienda,En línea,Teléfono|Boutique,En ligne,Téléphone',
  },
];

/** The parts by which a prompt wants its figures split; null when it names no such split. */
export function breakdownIn(prompt: string, lang: Lang): string[] | null {
  const found = breakdowns.find(({ pattern }) => pattern.test(prompt));
  return found ? inLang(found.parts, lang).split(',') : null;
}

/** Figures of usual size by what they count, so that examples agree with each other. */
const sizes: readonly (readonly [RegExp, number])[] = [
  [/page ?views|seitenaufrufe|páginas vistas|pages vues|clicks/iu, 9800],
  [/visit|besuch|traffic|visites/iu, 3600],
  [/sign-?ups?|anmeldung|registr|inscription|leads/iu, 90],
  [/orders|bestell|pedidos|commandes|customers|kunden|clientes|clients|bookings/iu, 140],
  [/profit|gewinn|beneficio|bénéfice/iu, 1300],
  [/cost|kosten|expense|ausgaben|gastos|dépenses/iu, 2900],
  [/votes|particip|teilnehm|stimmen|votos|voix|answers|responses|antworten|respuestas|réponses/iu, 60],
];

/** What a figure is about in the first month. */
export function sizeOf(label: string, type: string, index: number): number {
  const known = sizes.find(([pattern]) => pattern.test(label))?.[1];
  return known ?? (type === 'currency' ? 4200 : ([320, 180, 75, 460][index % 4] ?? 200));
}

/** What is measured where a prompt names no figures but its subject. */
const subjects: readonly (readonly [RegExp, string])[] = [
  [
    words('polls?|survey|votes?|umfrage\\p{L}*|abstimmung\\p{L}*|encuestas?|sondages?'),
    'Votes,Participants|Stimmen,Teilnehmende|Votos,Participantes|Voix,Participants',
  ],
  [
    words('website|web ?site|webseite|blog|traffic|sitio web|site web'),
    'Visitors,Page views,Sign-ups|Besucher,Seitenaufrufe,Anmeldungen|Visitas,Páginas vistas,Registros|Visites,Pages vues,Inscriptions',
  ],
  [
    words('financ\\p{L}*|budget|household|haushalt\\p{L}*|money|dinero|argent'),
    'Income,Expenses|Einnahmen,Ausgaben|Ingresos,Gastos|Revenus,Dépenses',
  ],
];
const usual =
  'Revenue,Orders,Visitors|Umsatz,Bestellungen,Besucher|Ingresos,Pedidos,Visitas|Chiffre d’affaires,Commandes,Visites';

export function usualFigures(prompt: string, lang: Lang): string[] {
  return inLang(subjects.find(([pattern]) => pattern.test(prompt))?.[1] ?? usual, lang).split(',');
}
