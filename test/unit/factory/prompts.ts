import type { Kind, Lang } from '../../../src/factory/spec.ts';

/** A prompt as a stranger would write it, and what a person expects of the build. Fields may be more than those named. */
export interface JudgedPrompt {
  readonly prompt: string;
  readonly kind: Kind;
  readonly variant?: string;
  readonly lang?: Lang;
  readonly name?: string;
  readonly fields?: readonly string[];
  readonly options?: Readonly<Record<string, readonly string[]>>;
  readonly accent?: string;
  readonly mode?: 'dark';
  readonly settings?: Readonly<Record<string, number>>;
  /** Texts that must stand somewhere in the spec. */
  readonly texts?: readonly string[];
  /** The judgement: the build is right for the prompt, or what is wrong with it. */
  readonly judged: 'right' | string;
}

export const judgedPrompts: readonly JudgedPrompt[] = [
  { prompt: 'a simple expense tracker', kind: 'tracker', fields: ['Amount', 'Category', 'Date'], name: 'Expense Tracker', judged: 'right' },
  { prompt: 'Build me an app called "Bean There" to log the coffees I try, with roaster, origin, rating and notes. Make it brown.', kind: 'tracker', name: 'Bean There', fields: ['Roaster', 'Origin', 'Rating', 'Notes'], accent: '#8a5a33', judged: 'right' },
  { prompt: 'todo list', kind: 'tracker', variant: 'checklist', fields: ['Task', 'Done'], judged: 'right' },
  { prompt: 'to-do app with due dates and priorities in dark mode', kind: 'tracker', variant: 'checklist', fields: ['Task', 'Due', 'Priority'], mode: 'dark', judged: 'right' },
  { prompt: 'inventory for my small warehouse: fields: product, sku, quantity, location, price', kind: 'tracker', fields: ['Product', 'SKU', 'Quantity', 'Location', 'Price'], judged: 'right' },
  { prompt: 'recipe collection with ingredients and cooking time', kind: 'tracker', variant: 'cards', fields: ['Title', 'Ingredients', 'Cooking time'], judged: 'right' },
  { prompt: 'I want to keep track of my houseplants and when I need to water them', kind: 'tracker', variant: 'cards', fields: ['Name', 'Species', 'Next time'], judged: 'right' },
  { prompt: 'job application tracker with company, role, status (applied, interview, offer, rejected) and link', kind: 'tracker', fields: ['Company', 'Role', 'Status', 'Link'], options: { Status: ['Applied', 'Interview', 'Offer', 'Rejected'] }, judged: 'right' },
  { prompt: 'school attendance app', kind: 'tracker', fields: ['Name', 'Present'], judged: 'right' },
  { prompt: 'a crm for freelancers', kind: 'tracker', fields: ['Name', 'Company', 'Email'], judged: 'right' },
  { prompt: 'reading list where I can rate books', kind: 'tracker', variant: 'cards', fields: ['Title', 'Author', 'Rating'], judged: 'right' },
  { prompt: 'vintage camera collection', kind: 'tracker', judged: 'right' },
  { prompt: 'app to manage meteorites with weight, place found and year', kind: 'tracker', fields: ['Name', 'Weight', 'Place found', 'Year'], judged: 'right' },
  { prompt: 'Track my runs: distance, minutes, mood', kind: 'tracker', fields: ['Distance', 'Minutes', 'Mood'], judged: 'right' },
  { prompt: 'subscription manager in #ff6600', kind: 'tracker', fields: ['Price', 'Due'], accent: '#ff6600', judged: 'right' },
  { prompt: 'wedding guest list tracker', kind: 'tracker', fields: ['Name', 'Status'], judged: 'right' },
  { prompt: 'Eine App für meine Ausgaben mit Betrag, Kategorie und Datum', kind: 'tracker', lang: 'de', fields: ['Betrag', 'Kategorie', 'Datum'], judged: 'right' },
  { prompt: 'Rezeptsammlung', kind: 'tracker', variant: 'cards', lang: 'de', fields: ['Zutaten'], judged: 'right' },
  { prompt: 'Einkaufsliste', kind: 'tracker', variant: 'checklist', lang: 'de', judged: 'right' },
  { prompt: 'Mitgliederverwaltung für unseren Sportverein namens "TSV Blau-Weiß"', kind: 'tracker', lang: 'de', name: 'TSV Blau-Weiß', fields: ['Name', 'E-Mail'], judged: 'right' },
  { prompt: 'una app para controlar mis gastos con importe, categoría y fecha', kind: 'tracker', lang: 'es', fields: ['Importe', 'Categoría', 'Fecha'], judged: 'right' },
  { prompt: 'lista de tareas llamada "Manos a la obra"', kind: 'tracker', variant: 'checklist', lang: 'es', name: 'Manos a la obra', judged: 'right' },
  { prompt: 'une application pour gérer mes livres avec titre, auteur et note', kind: 'tracker', variant: 'cards', lang: 'fr', fields: ['Titre', 'Auteur', 'Note'], judged: 'right' },
  { prompt: 'suivi des dépenses en vert', kind: 'tracker', lang: 'fr', accent: '#1f8a5b', judged: 'right' },
  { prompt: 'habit tracker', kind: 'habits', judged: 'right' },
  { prompt: 'Daily habits: meditate, floss, walk the dog', kind: 'habits', texts: ['Meditate', 'Floss', 'Walk the dog'], judged: 'right' },
  { prompt: 'Gewohnheitstracker in lila', kind: 'habits', lang: 'de', accent: '#7c3aed', judged: 'right' },
  { prompt: 'kanban board', kind: 'board', fields: ['Task', 'Status'], judged: 'right' },
  { prompt: 'Kanban board for our content team with columns Idea, Draft, Review, Published', kind: 'board', texts: ['Idea', 'Draft', 'Review', 'Published'], judged: 'right' },
  { prompt: 'tablero kanban para mi equipo', kind: 'board', lang: 'es', judged: 'right' },
  { prompt: 'trello clone', kind: 'board', judged: 'right' },
  { prompt: 'sales dashboard with revenue, orders and profit', kind: 'dashboard', fields: ['Revenue', 'Orders', 'Profit'], judged: 'right' },
  { prompt: 'tableau de bord pour mon site', kind: 'dashboard', lang: 'fr', judged: 'right' },
  { prompt: 'quiz about capitals of the world', kind: 'quiz', texts: ['Paris'], judged: 'right' },
  { prompt: 'times tables quiz for kids', kind: 'quiz', texts: ['×'], judged: 'right' },
  { prompt: 'Quiz über Taylor Swift', kind: 'quiz', lang: 'de', judged: 'the questions are general ones; it says so and lets one add others' },
  { prompt: 'spanish vocabulary flashcards', kind: 'flashcards', texts: ['hola'], judged: 'right' },
  { prompt: 'Vokabeltrainer Englisch', kind: 'flashcards', lang: 'de', texts: ['hello'], judged: 'right' },
  { prompt: 'tip calculator', kind: 'calculator', variant: 'tip', judged: 'right' },
  { prompt: 'BMI calculator in teal', kind: 'calculator', variant: 'bmi', accent: '#0f8a8a', judged: 'right' },
  { prompt: 'Kreditrechner', kind: 'calculator', variant: 'loan', lang: 'de', judged: 'right' },
  { prompt: 'calculadora de propinas', kind: 'calculator', variant: 'tip', lang: 'es', judged: 'right' },
  { prompt: 'calculator', kind: 'calculator', variant: 'basic', judged: 'right' },
  { prompt: 'quote calculator for my painting business', kind: 'calculator', variant: 'quote', judged: 'right' },
  { prompt: 'celsius to fahrenheit converter', kind: 'converter', variant: 'temperature', judged: 'right' },
  { prompt: 'convertisseur de devises', kind: 'converter', variant: 'currency', lang: 'fr', judged: 'right' },
  { prompt: 'pomodoro timer with 50 minute focus and 10 minute breaks', kind: 'timer', variant: 'pomodoro', settings: { work: 50, shortBreak: 10 }, judged: 'right' },
  { prompt: 'hiit timer 45 seconds work 15 seconds rest 6 rounds', kind: 'timer', variant: 'intervals', settings: { effort: 45, rest: 15, rounds: 6 }, judged: 'right' },
  { prompt: 'Stoppuhr mit Runden', kind: 'timer', variant: 'stopwatch', lang: 'de', judged: 'right' },
  { prompt: 'a timer for my tea, 4 minutes', kind: 'timer', variant: 'countdown', settings: { minutes: 4 }, judged: 'right' },
  { prompt: 'Website for Bella Napoli, a pizzeria at 12 Harbour Street. Margherita $9, Diavola $11, Tiramisu $6. Open Tue-Sun 17:00-23:00. Call 555-010-2244', kind: 'landing', name: 'Bella Napoli', texts: ['Margherita', '$9', '12 Harbour Street', '555-010-2244', '17:00-23:00'], judged: 'right' },
  { prompt: 'landing page for my startup "Glow", a skincare app, pink and modern', kind: 'landing', name: 'Glow', accent: '#d6368b', judged: 'right' },
  { prompt: 'Webseite für meine Bäckerei Krume in der Hauptstraße 5', kind: 'landing', lang: 'de', texts: ['Hauptstraße 5'], judged: 'the name Krume is not found: German nouns all have capitals' },
  { prompt: 'página web para mi peluquería "Tijeras"', kind: 'landing', lang: 'es', name: 'Tijeras', judged: 'right' },
  { prompt: 'something for my hair salon', kind: 'landing', judged: 'right' },
  { prompt: 'portfolio for Ana Gil, a wedding photographer', kind: 'portfolio', name: 'Ana Gil', texts: ['Photography'], judged: 'right' },
  { prompt: 'mon CV en ligne, développeur web', kind: 'portfolio', lang: 'fr', texts: ['Développement logiciel'], judged: 'right' },
  { prompt: 'FAQ page for our library', kind: 'docs', name: 'Library FAQ', judged: 'right' },
  { prompt: 'Dokumentation mit Suche', kind: 'docs', lang: 'de', judged: 'right' },
  { prompt: 'snake game in neon green on black', kind: 'game', variant: 'snake', mode: 'dark', accent: '#1f8a5b', judged: 'right' },
  { prompt: 'tic tac toe', kind: 'game', variant: 'tictactoe', judged: 'right' },
  { prompt: 'jeu de mémoire', kind: 'game', variant: 'memory', lang: 'fr', judged: 'right' },
  { prompt: 'make me tetris, a fun game', kind: 'game', variant: 'snake', judged: 'it is another game; it says so' },
  { prompt: 'poll: where should we eat? pizza, sushi or tacos', kind: 'form', variant: 'poll', texts: ['Pizza', 'Sushi', 'Tacos'], judged: 'right' },
  { prompt: 'RSVP page for our summer party', kind: 'form', variant: 'rsvp', judged: 'right' },
  { prompt: 'contact form with name, email, phone and message', kind: 'form', variant: 'form', fields: ['Name', 'Email', 'Phone', 'Message'], judged: 'right' },
  { prompt: 'Umfrage zur Mitarbeiterzufriedenheit', kind: 'form', lang: 'de', judged: 'right' },
  { prompt: 'notes app with tags', kind: 'notes', variant: 'notes', judged: 'right' },
  { prompt: 'Tagebuch', kind: 'notes', variant: 'journal', lang: 'de', judged: 'right' },
  { prompt: 'Wedding page for Lena and Tom on 12 June 2027 in Lisbon', kind: 'event', name: 'Lena & Tom', texts: ['2027-06-12', 'Lisbon'], judged: 'right' },
  { prompt: 'conference website with schedule', kind: 'event', judged: 'right' },
  { prompt: 'something cool', kind: 'quiz', judged: 'right' },
];
