import { offersOf } from '../catalogue.ts';
import { isDueDate } from '../due-date.ts';
import type { Entity, Feature, TemplateName } from '../spec.ts';
import { isStyle } from './style.ts';
import { words } from './words.ts';

const asked: Readonly<Record<Feature, RegExp>> = {
  search: words(
    'search|searchable|find|suche|suchen|durchsuchbar|buscar|búsqueda|buscador|recherche|rechercher',
  ),
  filter: words('filter|filters|filtering|filtern|filterbar|filtrar|filtros?|filtrer|filtres?'),
  sort: words('sort|sorting|sortable|sortieren|sortierbar|ordenar|ordenable|trier|tri'),
  totals: words(
    'totals?|sums?|summen?|gesamt\\p{L}*|monthly (overview|summary|total)|suma|totales|sommes?|totaux|balance|statistics|stats|statistik(en)?|estadísticas|statistiques',
  ),
  chart: words(
    'charts?|graphs?|diagramm(e|en)?|gráficos?|gráficas?|graphiques?|pie chart|visuali[sz]e|by (category|month)|per month|pro monat|por mes|par mois|statistics|statistik(en)?',
  ),
  csv: words('csv|export|excel|import|spreadsheet|exportieren|exportar|exporter'),
  due: words(
    'due|due dates?|deadlines?|reminders?|overdue|fällig\\p{L}*|fristen|erinnerung(en)?|vencimientos?|recordatorios?|échéances?|rappels?',
  ),
  undo: words('undo|rückgängig|deshacer|annuler'),
  print: words('print|printable|drucken|druckbar|imprimir|imprimer'),
  dark: words('dark ?mode|dark theme|dunkelmodus|dunkles design|modo oscuro|mode sombre|dark'),
};

/** “Total” and “colour” alone are what something has, not what the app should do. */
const field =
  /^(?:total|(?:total|overall) (?:amount|price|cost|hours|minutes|score|points|paid|due|value)|gesamt(?:betrag|preis|kosten|wert|zeit|punkte)|(?:importe|montant|prix|coût|precio|coste|price|cost|amount) total(?:e|es)?|sum|summe|colou?r|farbe|couleur)$/iu;

const asides = words(
  'drag[- ]and[- ]drop|offline|responsive|mobile|local ?storage|login|log ?in|sign ?in|notifications?|streaks?|colou?rs?|themes?|design|style|look|stil|farben|diseño|couleurs?|backups?|sync\\p{L}*|auto-?save|animations?|easy to use|user[- ]friendly|einfach zu bedienen|fácil de usar|facile à utiliser|group(?:ed|ing)? by|(?:per|by) (?:category|month|week|year|day|person)|(?:pro|nach) (?:kategorie|monat|woche|jahr|person)|por (?:categoría|mes|semana|año|persona)|par (?:catégorie|mois|semaine|an|personne)|(?:cards?|list|calendar|table|grid|kanban|board|weekly|monthly|daily) view|(?:karten|listen|kalender|tabellen)ansicht|dashboard|overview|übersicht|resumen',
);

/** Words that ask for a feature or a look; such items of a list are no fields. */
export function isFeature(item: string): boolean {
  if (field.test(item.trim())) return false;
  return (
    isStyle(item) ||
    Object.entries(asked).some(([feature, pattern]) => feature !== 'due' && pattern.test(item)) ||
    asides.test(item)
  );
}

/** What the built app can do: of what its templates offer, that for which it has fields. */
export function featuresOf(
  template: TemplateName,
  variant: string,
  prompt: string,
  entity: Entity | null,
): Feature[] {
  const types = new Set(entity?.fields.map((field) => field.type));
  const dated = types.has('date');
  const labels = entity?.fields.some((field) => field.type === 'date' && isDueDate(field.label)) ?? false;
  const measured = types.has('currency') || types.has('number');
  const chosen = types.has('select');
  // What begins with a date and has a number is measured from day to day.
  const log = entity?.fields[0]?.type === 'date' && measured;
  const drawn =
    log ||
    (chosen && (types.has('currency') || asked.chart.test(prompt))) ||
    (dated && asked.chart.test(prompt));
  const needs: Partial<Record<Feature, boolean>> = {
    filter: chosen || types.has('checkbox'),
    totals: measured || entity === null,
    chart:
      template === 'tracker'
        ? drawn
        : template !== 'form' || chosen || types.has('rating') || types.has('checkbox'),
    // A board shows at each date whether it is near or past.
    due: template === 'board' ? dated : labels || (dated && asked.due.test(prompt)),
  };
  return offersOf(template, variant).filter((feature) => needs[feature] ?? true);
}
