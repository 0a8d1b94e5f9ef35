import type { TemplateName } from '../spec.ts';
import { unitsIn } from './converter-units.ts';
import { surveyQuestions } from './survey.ts';
import { words } from './words.ts';

const formulas: readonly (readonly [string, RegExp])[] = [
  [
    'tip',
    words(
      'tips?|\\p{L}*trinkgeld\\p{L}*|propinas?|pourboires?|split(ting)? (the |a |our )?(bills?|checks?)|bill split\\p{L}*|restaurant bill',
    ),
  ],
  ['bmi', words('bmi(-\\p{L}+)?|body mass( index)?|imc|body-mass-index|masa corporal|masse corporelle')],
  [
    'loan',
    words(
      'loans?|mortgages?|\\p{L}*kredit\\p{L}*|\\p{L}*darlehen\\p{L}*|hypothek\\p{L}*|hipotecas?|préstamos?|prestamos?|prêts?|crédits?|emi|amortization|car payment|financing',
    ),
  ],
  ['discount', words('discounts?|\\p{L}*rabatt\\p{L}*|descuentos?|remises?|sale price|soldes')],
  ['vat', words('vat|\\p{L}*mehrwertsteuer\\p{L}*|mwst|umsatzsteuer|iva|tva|sales tax|gst')],
  [
    'interest',
    words(
      'compound interest|interest|savings?|\\p{L}*zins\\p{L}*|\\p{L}*spar\\p{L}*|ahorros?|interés|intérêts?|épargne|investments?|retirement|inversión',
    ),
  ],
  ['calories', words('calories?|calorie|kalorien\\p{L}*|calorías|bmr|tdee|macros')],
  [
    'fuel',
    words(
      'fuel|gas (cost|mileage)|road ?trip|trip cost|\\p{L}*sprit\\p{L}*|benzin\\p{L}*|gasolina|carburant|combustible|essence|mileage',
    ),
  ],
  [
    'salary',
    words('salary|salaries|hourly|wages?|\\p{L}*gehalt\\p{L}*|stundenlohn|salario|sueldo|salaire|paycheck'),
  ],
  ['age', words('age|\\p{L}*alters?\\p{L}*|edad|âge|birthday|how old')],
  ['percentage', words('percent(age)?s?|\\p{L}*prozent\\p{L}*|porcentajes?|pourcentages?|per cent')],
  [
    'quote',
    words(
      'quotes?|estimates?|invoice|price|prices|pricing|costs?|\\p{L}*preis\\p{L}*|\\p{L}*kosten\\p{L}*|angebots?\\p{L}*|presupuestos?|precios?|devis|prix|coûts?|budget',
    ),
  ],
];

const measures: readonly (readonly [string, RegExp])[] = [
  [
    'currency',
    words(
      'currency|currencies|\\p{L}*währung\\p{L}*|monedas?|divisas?|devises?|exchange|euros?|dollars?|usd|eur|money',
    ),
  ],
  ['temperature', words('temperature|celsius|fahrenheit|\\p{L}*temperatur\\p{L}*|temperatura|température')],
  ['weight', words('weight|kg|pounds?|lbs?|kilos?|ounces?|\\p{L}*gewicht\\p{L}*|peso|libras|poids|grams?')],
  [
    'volume',
    words(
      'volume|cups?|cooking|recipes?|kitchen|litres?|liters?|gallons?|küchen\\p{L}*|cocina|cuisine|koch\\p{L}*',
    ),
  ],
  ['speed', words('speed|km/?h|mph|geschwindigkeit\\p{L}*|velocidad|vitesse')],
  ['area', words('area|square (feet|metres?|meters?)|acres?|hectares?|flächen\\p{L}*|superficie|surface')],
  ['data', words('data|bytes?|megabytes?|gigabytes?|file size|datos|données|octets')],
  ['time', words('time|hours|minutes|seconds|\\p{L}*zeit\\p{L}*|tiempo|temps')],
];

/** Which one of its template an app is, and whether the prompt told it. */
export function variantOf(
  template: TemplateName,
  found: string,
  prompt: string,
  layout: string,
): { readonly variant: string; readonly told: boolean } {
  if (template === 'calculator') {
    const formula = formulas.find(([, pattern]) => pattern.test(prompt))?.[0];
    return { variant: formula ?? 'basic', told: formula !== undefined };
  }
  if (template === 'converter')
    return {
      variant: measureOf(prompt),
      told: true,
    };
  if (template === 'timer')
    return {
      variant: found === 'countdown' && pausing.test(prompt) ? 'pomodoro' : found || 'countdown',
      told: true,
    };
  if (template === 'game') {
    const like = /^like (\w+)$/.exec(found)?.[1];
    return { variant: (like ?? found) || 'snake', told: like === undefined && found !== '' };
  }
  if (template === 'form') {
    return {
      variant:
        found === 'rsvp'
          ? found
          : choiceAtEnd(prompt) && surveyQuestions(prompt, 'en').length < 2
            ? 'poll'
            : found || 'form',
      told: true,
    };
  }
  if (template === 'notes') return { variant: found || 'notes', told: true };
  return { variant: template === 'tracker' ? layout : '', told: true };
}

/** What a converter converts: money, or what the first unit measures, or what is named. */
function measureOf(prompt: string): string {
  const named = measures.find(([, pattern]) => pattern.test(prompt))?.[0];
  return named === 'currency' ? named : (unitsIn(prompt)?.group ?? named ?? 'length');
}

/**
 * “Lunch: pizza, sushi or tacos” and “Which day? Saturday, Sunday” let one choose; a list with a name in front asks.
 */
function choiceAtEnd(prompt: string): boolean {
  const answers = prompt.slice(prompt.lastIndexOf('?') + 1);
  if (prompt.includes('?') && answers.includes(',') && !isAsked(answers)) return true;
  const [before = '', ...rest] = prompt.split(':');
  const tail = rest.at(-1) ?? '';
  const comma = tail.lastIndexOf(',');
  return (
    before !== prompt &&
    comma >= 0 &&
    !isAsked(tail) &&
    (tail.endsWith('?') || /\s(?:or|oder|o|ou)\s/iu.test(tail.slice(comma)))
  );
}

/** Whether a list says what people are to write down. */
const isAsked = (list: string) =>
  /^\s*(?:(?:the|your|full|first|parent|child|team|dein|ihr|su|votre)\s)*(?:names?|e-?mails?|vorname|nachname|nombres?|correo|noms?|prénom|phone|telefon|teléfono|téléphone|date|datum|fecha)(?!\p{L})/iu.test(
    list,
  );

const numbers = (prompt: string, pattern: string) => {
  const found = new RegExp(pattern, 'iu').exec(prompt)?.[1];
  return found === undefined ? null : Number(found.replace(',', '.'));
};
const minute = '(?:minutes?|mins?|min\\.?|minuten|minutos|m)(?!\\p{L})';
const second = '(?:seconds?|secs?|sek(?:unden)?|segundos?|secondes?|s)(?!\\p{L})';

/** “… and rest 15”, “15 minutes break”: work and pauses take turns. */
const pausing =
  /(?<!\p{L})(?:breaks?|rest|pausen?|pausieren|descans\p{L}{1,4}|pausas?|repos|pauses?)(?: (?:of|for|von|de|durante|pendant))? (\d{1,2})(?!\d)|(?<!\d)(\d{1,2}) ?-?(?:minutes?|mins?|min|minuten|minutos)(?: (?:of|de|lange))? (?:breaks?|rest|pausen?|descanso|pausa|repos|pauses?)(?!\p{L})/iu;

/** Numbers that a timer or a game begins with, as far as the prompt names them. */
export function settingsOf(template: TemplateName, variant: string, prompt: string): Record<string, number> {
  if (template === 'game' && variant === 'memory') {
    const pairs = numbers(prompt, '(\\d{1,2})\\s+(?:pairs|paare|parejas|paires)');
    return { pairs: [6, 8, 10, 12, 18].find((size) => size >= (pairs ?? 8)) ?? 18 };
  }
  if (template !== 'timer') return {};
  const bounded = (value: number | null, byDefault: number, max: number) =>
    value !== null && value > 0 && value <= max ? value : byDefault;
  const rounds = numbers(
    prompt,
    '(\\d{1,2})\\s*(?:x|rounds?|runden|rondas|séries|tours|sets|cycles)(?!\\p{L})',
  );
  if (variant === 'intervals') {
    const [effort, rest] = [...prompt.matchAll(new RegExp(`(\\d{1,3})\\s*-?\\s*${second}`, 'giu'))].map(
      (match) => Number(match[1]),
    );
    return {
      effort: bounded(effort ?? null, 40, 600),
      rest: bounded(rest ?? null, 20, 600),
      rounds: bounded(rounds, 8, 40),
    };
  }
  const all = [...prompt.matchAll(new RegExp(`(\\d{1,3})\\s*-?\\s*${minute}`, 'giu'))].map((match) =>
    Number(match[1]),
  );
  if (variant === 'countdown') return { minutes: bounded(all[0] ?? null, 10, 1440) };
  const pair = /(?<!\d)(\d{2})\s?\/\s?(\d{1,2})(?!\d)/.exec(prompt);
  const pause = pausing.exec(prompt);
  const afterwards = all.length < 2 && pause ? [all[0], Number(pause[1] ?? pause[2])] : all;
  const [work, rest] = pair ? [Number(pair[1]), Number(pair[2])] : afterwards;
  return variant === 'pomodoro'
    ? {
        work: bounded(work ?? null, 25, 120),
        shortBreak: bounded(rest ?? null, 5, 60),
        longBreak: 15,
        rounds: bounded(rounds, 4, 12),
      }
    : {};
}

const codes: readonly (readonly [string, RegExp])[] = [
  ['EUR', /€|(?<!\p{L})(euros?|eur)(?!\p{L})/iu],
  ['GBP', /£|(?<!\p{L})(pounds sterling|gbp)(?!\p{L})/iu],
  ['CHF', /(?<!\p{L})(chf|franken)(?!\p{L})/iu],
  ['USD', /\$|(?<!\p{L})(dollars?|usd)(?!\p{L})/iu],
  ['MXN', /(?<!\p{L})(mxn|pesos)(?!\p{L})/iu],
  ['INR', /₹|(?<!\p{L})(rupees?|inr)(?!\p{L})/iu],
  ['JPY', /¥|(?<!\p{L})(yen|jpy)(?!\p{L})/iu],
];

/** The currency that the prompt names, and whether it did. */
export function currencyOf(prompt: string, lang: string): { readonly code: string; readonly told: boolean } {
  const code = codes.find(([, pattern]) => pattern.test(prompt))?.[0];
  return { code: code ?? (lang === 'en' ? 'USD' : 'EUR'), told: code !== undefined };
}
