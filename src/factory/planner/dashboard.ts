import type { Lang } from '../spec.ts';
import { defaultFigures, sizeOf } from './content/figures.ts';
import { numbered, statedFields } from './fields.ts';
import { type DraftField, fieldFrom } from './item.ts';
import { splitList } from './split.ts';
import { capitalised, hashOf, inLang } from './text.ts';

const months = 'Month|Monat|Mes|Mois';
const money =
  /revenue|sales|income|expenses|spend|umsatz|umsätze|verkäufe|einnahmen|ausgaben|ingresos|ventas|gastos|chiffre|ventes|dépenses|recettes|profit|gewinn|cost|kosten|beneficio|bénéfice/iu;

/** What figures are divided by besides the months, with examples to begin with. */
const parts: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:regions?|regione?n?|regi(?:ón|ones)|régions?|areas?|territor(?:y|ies)|gebiete?|zonas?)$/iu,
    'North,South,West|Nord,Süd,West|Norte,Sur,Oeste|Nord,Sud,Ouest',
  ],
  [
    /^(?:channels?|kan[aä]le?|canal(?:es)?|canaux|sources?|quellen?)$/iu,
    'Online,Shop,Phone|Online,Laden,Telefon|Online,Tienda,Teléfono|En ligne,Boutique,Téléphone',
  ],
  [
    /^(?:countr(?:y|ies)|l[aä]nd(?:er)?|países?|pays)$/iu,
    'Germany,Spain,France|Deutschland,Spanien,Frankreich|Alemania,España,Francia|Allemagne,Espagne,France',
  ],
  [
    /^(?:products?|produkte?|artikel|productos?|produits?)$/iu,
    'Product A,Product B,Product C|Produkt A,Produkt B,Produkt C|Producto A,Producto B,Producto C|Produit A,Produit B,Produit C',
  ],
  [
    /^(?:teams?|departments?|abteilung(?:en)?|equipos?|departamentos?|équipes?|services?)$/iu,
    'Team A,Team B,Team C|Team A,Team B,Team C|Equipo A,Equipo B,Equipo C|Équipe A,Équipe B,Équipe C',
  ],
  [
    /^(?:categor(?:y|ies)|kategorien?|categorías?|catégories?)$/iu,
    'Category A,Category B,Category C|Kategorie A,Kategorie B,Kategorie C|Categoría A,Categoría B,Categoría C|Catégorie A,Catégorie B,Catégorie C',
  ],
  [
    /^(?:branch(?:es)?|stores?|shops?|locations?|filialen?|standorte?|tiendas?|sucursal(?:es)?|magasins?|agences?)$/iu,
    'Centre,Station,Airport|Zentrum,Bahnhof,Flughafen|Centro,Estación,Aeropuerto|Centre,Gare,Aéroport',
  ],
];

const dividedBy =
  /((?:(?!dashboard|the|a|our|my|unsere|meine|de|los|las|nuestr|mes|nos)[\p{L}-]{3,30}))\s+(?:by|per|nach|pro|por|par)\s+([\p{L} ,&]{3,60}?)(?=[.!?;:]|\s(?:with|mit|con|avec|for|für|para|pour)\s|$)/iu;

interface Division {
  readonly measure: string;
  readonly names: readonly string[];
}

/** “Sales by month and region”: sales in each region, month by month. */
function divisionOf(prompt: string, lang: Lang): Division | null {
  const [, measure = '', by = ''] = dividedBy.exec(prompt) ?? [];
  const dims = splitList(by).map((item) => item.trim());
  const names = dims.flatMap((dim) => {
    const found = parts.find(([pattern]) => pattern.test(dim))?.[1];
    return found ? [inLang(found, lang).split(',')] : [];
  })[0];
  return measure && dims.length > 0 && names ? { measure: capitalised(measure, lang), names } : null;
}

/** What the prompt wants to see in figures: what it lists, or one thing divided, or the default figures. */
function measuresOf(prompt: string, lang: Lang, division: Division | null): DraftField[] {
  if (division)
    return division.names.map((name) => ({
      label: `${division.measure}, ${name}`,
      type: 'number',
      concept: null,
      options: [],
    }));
  const listed = statedFields(prompt, lang).fields.filter((field) =>
    ['number', 'currency', 'text'].includes(field.type),
  );
  if (listed.length > 0) return listed.slice(0, 5);
  const single = dividedBy.exec(prompt)?.[1];
  return (single ? [capitalised(single, lang)] : defaultFigures(prompt, lang))
    .map((label) => fieldFrom(label, lang))
    .filter((field) => field !== null);
}

/** The fields and the figures to begin with of a dashboard, whose rows are months. */
export function dashboardFigures(prompt: string, lang: Lang) {
  const division = divisionOf(prompt, lang);
  const measures = measuresOf(prompt, lang, division).map(
    (field): DraftField => ({
      ...field,
      type: field.type === 'currency' || money.test(field.label) ? 'currency' : 'number',
      concept: null,
      options: [],
    }),
  );
  const drafts: DraftField[] = [
    { label: inLang(months, lang), type: 'text', concept: null, options: [] },
    ...measures,
  ];
  const name = new Intl.DateTimeFormat(lang, { month: 'short', timeZone: 'UTC' });
  const seed = Array.from({ length: 8 }, (_, month) => {
    const row: Record<string, string | number> = {
      f0: capitalised(name.format(new Date(Date.UTC(2026, month, 1))), lang),
    };
    for (const [index, field] of measures.entries()) {
      const base = sizeOf(field.label, field.type, index);
      const wave = 1 + month * 0.07 + ((hashOf(prompt, `${index}/${month}`) % 25) - 10) / 100;
      row[`f${index + 1}`] = Math.round((base * wave) / 5) * 5;
    }
    return row;
  });
  const plural = inLang('Figures|Zahlen|Cifras|Chiffres', lang);
  const entity = { singular: plural, plural, fields: numbered(drafts) };
  return { entity, seed, divided: division !== null };
}
