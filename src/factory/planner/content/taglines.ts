import type { Lang, TemplateName } from '../../spec.ts';
import { inLang } from '../text.ts';

/** A line below the name: English | German | Spanish | French. `{plural}` is what the app keeps. */
const lines: Readonly<Partial<Record<TemplateName, string>>> = {
  tracker:
    'All your {plural} in one place|Alles im Blick: {plural}|Todo en un solo lugar: {plural}|Tout au même endroit : {plural}',
  habits:
    'Small steps, every day|Kleine Schritte, jeden Tag|Pequeños pasos, cada día|De petits pas, chaque jour',
  board:
    'See what is next, and what is done|Sehen, was ansteht und was fertig ist|Mira qué sigue y qué está hecho|Voir la suite, et ce qui est fait',
  dashboard:
    'Your numbers, at a glance|Deine Zahlen auf einen Blick|Tus números, de un vistazo|Vos chiffres en un coup d’œil',
  quiz: 'How much do you know?|Wie viel weißt du?|¿Cuánto sabes?|Que savez-vous ?',
  flashcards:
    'A few cards a day keep it fresh|Ein paar Karten am Tag halten es frisch|Unas tarjetas al día para no olvidar|Quelques cartes par jour pour retenir',
  calculator:
    'Change a number, see the result at once|Zahl ändern, Ergebnis sofort sehen|Cambia un número y mira el resultado|Changez un nombre, voyez le résultat',
  converter:
    'Type a value, read all the others|Wert eingeben, alle anderen ablesen|Escribe un valor y lee los demás|Tapez une valeur, lisez les autres',
  timer: 'Ready when you are|Bereit, wenn du es bist|Cuando tú quieras|Quand vous voulez',
  landing: '',
  portfolio: '',
  docs: '',
  game: 'One more round?|Noch eine Runde?|¿Otra partida?|Encore une partie ?',
  form: 'It takes less than a minute|Dauert keine Minute|Menos de un minuto|Moins d’une minute',
  notes:
    'Everything worth keeping|Alles, was bleiben soll|Todo lo que merece guardarse|Tout ce qui mérite d’être gardé',
  event: '',
};

export function taglineOf(template: TemplateName, lang: Lang, plural: string): string {
  return inLang(lines[template] ?? '', lang).replace(
    '{plural}',
    lang === 'en' || lang === 'es' || lang === 'fr' ? plural.toLocaleLowerCase(lang) : plural,
  );
}

/** Names for apps whose prompt gives none. `{plural}` and `{singular}` as above. */
const names: Readonly<Record<string, string>> = {
  tracker: '{Singular} Tracker|{plural}|Mis {plurals}|Mes {plurals}',
  'tracker/checklist': '{Singular} List|{plural}|Lista: {plurals}|Liste : {plurals}',
  'tracker/cards': 'My {plural}|Meine {plural}|Mis {plurals}|Mes {plurals}',
  habits: 'Habit Tracker|Gewohnheiten|Mis hábitos|Mes habitudes',
  board: '{Singular} Board|{plural}-Board|Tablero: {plurals}|Tableau : {plurals}',
  dashboard: 'Dashboard|Dashboard|Panel de control|Tableau de bord',
  quiz: 'Quiz|Quiz|Quiz|Quiz',
  flashcards: 'Flashcards|Lernkarten|Tarjetas|Cartes mémo',
  'timer/pomodoro': 'Pomodoro Timer|Pomodoro-Timer|Pomodoro|Pomodoro',
  'timer/stopwatch': 'Stopwatch|Stoppuhr|Cronómetro|Chronomètre',
  'timer/countdown': 'Countdown Timer|Countdown|Temporizador|Minuteur',
  'timer/intervals': 'Interval Timer|Intervall-Timer|Intervalos|Intervalles',
  'game/snake': 'Snake|Snake|Snake|Snake',
  'game/tictactoe': 'Tic-Tac-Toe|Tic-Tac-Toe|Tres en raya|Morpion',
  'game/memory': 'Memory Game|Memory|Juego de memoria|Jeu de mémoire',
  'game/2048': '2048|2048|2048|2048',
  'game/blocks': 'Falling Blocks|Fallende Blöcke|Bloques en caída|Pluie de blocs',
  'calculator/basic': 'Calculator|Taschenrechner|Calculadora|Calculatrice',
  'calculator/tip': 'Tip Calculator|Trinkgeldrechner|Calculadora de propinas|Calculatrice de pourboire',
  'calculator/bmi': 'BMI Calculator|BMI-Rechner|Calculadora de IMC|Calcul d’IMC',
  'calculator/loan': 'Loan Calculator|Kreditrechner|Calculadora de préstamos|Calcul de prêt',
  'calculator/percentage':
    'Percentage Calculator|Prozentrechner|Calculadora de porcentajes|Calcul de pourcentages',
  'calculator/discount': 'Discount Calculator|Rabattrechner|Calculadora de descuentos|Calcul de remises',
  'calculator/interest': 'Savings Calculator|Sparrechner|Calculadora de ahorro|Calcul d’épargne',
  'calculator/age': 'Age Calculator|Altersrechner|Calculadora de edad|Calcul d’âge',
  'calculator/fuel': 'Trip Cost Calculator|Spritkostenrechner|Coste del viaje|Coût du trajet',
  'calculator/vat': 'VAT Calculator|Mehrwertsteuerrechner|Calculadora de IVA|Calcul de TVA',
  'calculator/calories': 'Calorie Calculator|Kalorienrechner|Calculadora de calorías|Calcul de calories',
  'calculator/salary': 'Salary Calculator|Gehaltsrechner|Calculadora de salario|Calcul de salaire',
  'calculator/quote': 'Price Calculator|Angebotsrechner|Calculadora de presupuestos|Calcul de devis',
  converter: 'Unit Converter|Einheiten-Umrechner|Conversor de unidades|Convertisseur d’unités',
  'converter/currency': 'Currency Converter|Währungsrechner|Conversor de monedas|Convertisseur de devises',
  'form/form': 'Feedback Form|Formular|Formulario|Formulaire',
  'form/poll': 'Quick Poll|Umfrage|Votación|Sondage',
  'form/rsvp': 'RSVP|Zu- und Absagen|Confirmación|Réponse à l’invitation',
  'notes/notes': 'Notes|Notizen|Notas|Notes',
  'notes/journal': 'Journal|Tagebuch|Diario|Journal',
  docs: 'Help Center|Hilfe und Antworten|Centro de ayuda|Centre d’aide',
  portfolio: 'My Portfolio|Mein Portfolio|Mi portafolio|Mon portfolio',
  landing: 'Our Place|Willkommen|Bienvenidos|Bienvenue',
  event: 'Our Event|Unser Fest|Nuestro encuentro|Notre événement',
};

export function derivedName(
  template: TemplateName,
  variant: string,
  lang: Lang,
  thing: { readonly singular: string; readonly plural: string } | null,
): string {
  const texts =
    names[`${template}/${variant}`] ?? names[template] ?? `${template}|${template}|${template}|${template}`;
  const titleCase = (text: string) =>
    text.replace(/(?<![\p{L}’'])\p{L}/gu, (letter) => letter.toLocaleUpperCase(lang));
  const { singular, plural } = thing ?? { singular: '', plural: '' };
  return inLang(texts, lang)
    .replace('{Singular}', titleCase(singular))
    .replace('{plurals}', plural.toLocaleLowerCase(lang))
    .replace('{plural}', lang === 'en' ? titleCase(plural) : plural);
}
