import type { Lang } from '../../spec.ts';
import { inLang } from '../text.ts';
import { words } from '../words.ts';

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
const defaults =
  'Revenue,Orders,Visitors|Umsatz,Bestellungen,Besucher|Ingresos,Pedidos,Visitas|Chiffre d’affaires,Commandes,Visites';

/** What is measured, as labels. */
export function defaultFigures(prompt: string, lang: Lang): string[] {
  return inLang(subjects.find(([pattern]) => pattern.test(prompt))?.[1] ?? defaults, lang).split(',');
}
