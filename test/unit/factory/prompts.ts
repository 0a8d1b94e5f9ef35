import type { FieldType, Lang, TemplateName } from '../../../src/factory/spec.ts';

/** A prompt as a stranger would write it, and what a person who judged the build expects of it. Fields may be more than those named. */
export interface JudgedPrompt {
  readonly prompt: string;
  readonly template: TemplateName;
  readonly variant?: string;
  readonly lang?: Lang;
  readonly name?: string;
  readonly fields?: readonly string[];
  /** Just these fields, in this order. */
  readonly onlyFields?: readonly string[];
  readonly options?: Readonly<Record<string, readonly string[]>>;
  readonly types?: Readonly<Record<string, FieldType>>;
  readonly accent?: string;
  readonly mode?: 'dark';
  readonly settings?: Readonly<Record<string, number>>;
  /** Texts that must stand somewhere in the spec. */
  readonly texts?: readonly string[];
  /** What a person misses in the build nevertheless. */
  readonly lacks?: string;
}

export const judgedPrompts: readonly JudgedPrompt[] = [
  {
    prompt: 'a simple expense tracker',
    template: 'tracker',
    fields: ['Amount', 'Category', 'Date'],
    name: 'Expense Tracker',
  },
  {
    prompt:
      'Build me an app called "Bean There" to log the coffees I try, with roaster, origin, rating and notes. Make it brown.',
    template: 'tracker',
    name: 'Bean There',
    fields: ['Roaster', 'Origin', 'Rating', 'Notes'],
    accent: '#8a5a33',
  },
  { prompt: 'todo list', template: 'tracker', variant: 'checklist', fields: ['Task', 'Done'] },
  {
    prompt: 'to-do app with due dates and priorities in dark mode',
    template: 'tracker',
    variant: 'checklist',
    fields: ['Task', 'Due', 'Priority'],
    mode: 'dark',
  },
  {
    prompt: 'inventory for my small warehouse: fields: product, sku, quantity, location, price',
    template: 'tracker',
    fields: ['Product', 'SKU', 'Quantity', 'Location', 'Price'],
  },
  {
    prompt: 'recipe collection with ingredients and cooking time',
    template: 'tracker',
    variant: 'cards',
    fields: ['Title', 'Ingredients', 'Cooking time (min)'],
  },
  {
    prompt: 'I want to keep track of my houseplants and when I need to water them',
    template: 'tracker',
    variant: 'cards',
    fields: ['Name', 'Species', 'Next time'],
  },
  {
    prompt:
      'job application tracker with company, role, status (applied, interview, offer, rejected) and link',
    template: 'tracker',
    fields: ['Company', 'Role', 'Status', 'Link'],
    options: { Status: ['Applied', 'Interview', 'Offer', 'Rejected'] },
  },
  { prompt: 'school attendance app', template: 'tracker', fields: ['Name', 'Present'] },
  { prompt: 'a crm for freelancers', template: 'tracker', fields: ['Name', 'Company', 'Email'] },
  {
    prompt: 'reading list where I can rate books',
    template: 'tracker',
    variant: 'cards',
    fields: ['Title', 'Author', 'Rating'],
  },
  { prompt: 'vintage camera collection', template: 'tracker' },
  {
    prompt: 'app to manage meteorites with weight, place found and year',
    template: 'tracker',
    fields: ['Name', 'Weight', 'Place found', 'Year'],
  },
  {
    prompt: 'Track my runs: distance, minutes, mood',
    template: 'tracker',
    fields: ['Distance', 'Minutes', 'Mood'],
  },
  {
    prompt: 'subscription manager in #ff6600',
    template: 'tracker',
    fields: ['Price', 'Due'],
    accent: '#ff6600',
  },
  { prompt: 'wedding guest list tracker', template: 'tracker', fields: ['Name', 'Status'] },
  {
    prompt: 'Eine App für meine Ausgaben mit Betrag, Kategorie und Datum',
    template: 'tracker',
    lang: 'de',
    fields: ['Betrag', 'Kategorie', 'Datum'],
  },
  {
    prompt: 'Rezeptsammlung',
    template: 'tracker',
    variant: 'cards',
    lang: 'de',
    fields: ['Zutaten'],
  },
  { prompt: 'Einkaufsliste', template: 'tracker', variant: 'checklist', lang: 'de' },
  {
    prompt: 'Mitgliederverwaltung für unseren Sportverein namens "TSV Blau-Weiß"',
    template: 'tracker',
    lang: 'de',
    name: 'TSV Blau-Weiß',
    fields: ['Name', 'E-Mail'],
  },
  {
    prompt: 'una app para controlar mis gastos con importe, categoría y fecha',
    template: 'tracker',
    lang: 'es',
    fields: ['Importe', 'Categoría', 'Fecha'],
  },
  {
    prompt: 'lista de tareas llamada "Manos a la obra"',
    template: 'tracker',
    variant: 'checklist',
    lang: 'es',
    name: 'Manos a la obra',
  },
  {
    prompt: 'une application pour gérer mes livres avec titre, auteur et note',
    template: 'tracker',
    variant: 'cards',
    lang: 'fr',
    fields: ['Titre', 'Auteur', 'Note'],
  },
  { prompt: 'suivi des dépenses en vert', template: 'tracker', lang: 'fr', accent: '#1f8a5b' },
  { prompt: 'habit tracker', template: 'habits' },
  {
    prompt: 'Daily habits: meditate, floss, walk the dog',
    template: 'habits',
    texts: ['Meditate', 'Floss', 'Walk the dog'],
  },
  { prompt: 'Gewohnheitstracker in lila', template: 'habits', lang: 'de', accent: '#7c3aed' },
  { prompt: 'kanban board', template: 'board', fields: ['Task', 'Status'] },
  {
    prompt: 'Kanban board for our content team with columns Idea, Draft, Review, Published',
    template: 'board',
    texts: ['Idea', 'Draft', 'Review', 'Published'],
  },
  { prompt: 'tablero kanban para mi equipo', template: 'board', lang: 'es' },
  { prompt: 'trello clone', template: 'board' },
  {
    prompt: 'sales dashboard with revenue, orders and profit',
    template: 'dashboard',
    fields: ['Revenue', 'Orders', 'Profit'],
  },
  { prompt: 'tableau de bord pour mon site', template: 'dashboard', lang: 'fr' },
  { prompt: 'quiz about capitals of the world', template: 'quiz', texts: ['Paris'] },
  { prompt: 'times tables quiz for kids', template: 'quiz', texts: ['×'] },
  {
    prompt: 'Quiz über Taylor Swift',
    template: 'quiz',
    lang: 'de',
    lacks: 'the questions are general ones; it says so and lets one add others',
  },
  { prompt: 'spanish vocabulary flashcards', template: 'flashcards', texts: ['hola'] },
  { prompt: 'Vokabeltrainer Englisch', template: 'flashcards', lang: 'de', texts: ['hello'] },
  { prompt: 'tip calculator', template: 'calculator', variant: 'tip' },
  {
    prompt: 'BMI calculator in teal',
    template: 'calculator',
    variant: 'bmi',
    accent: '#0f8a8a',
  },
  { prompt: 'Kreditrechner', template: 'calculator', variant: 'loan', lang: 'de' },
  { prompt: 'calculadora de propinas', template: 'calculator', variant: 'tip', lang: 'es' },
  { prompt: 'calculator', template: 'calculator', variant: 'basic' },
  {
    prompt: 'quote calculator for my painting business',
    template: 'calculator',
    variant: 'quote',
  },
  { prompt: 'celsius to fahrenheit converter', template: 'converter', variant: 'temperature' },
  { prompt: 'convertisseur de devises', template: 'converter', variant: 'currency', lang: 'fr' },
  {
    prompt: 'pomodoro timer with 50 minute focus and 10 minute breaks',
    template: 'timer',
    variant: 'pomodoro',
    settings: { work: 50, shortBreak: 10 },
  },
  {
    prompt: 'hiit timer 45 seconds work 15 seconds rest 6 rounds',
    template: 'timer',
    variant: 'intervals',
    settings: { effort: 45, rest: 15, rounds: 6 },
  },
  { prompt: 'Stoppuhr mit Runden', template: 'timer', variant: 'stopwatch', lang: 'de' },
  {
    prompt: 'a timer for my tea, 4 minutes',
    template: 'timer',
    variant: 'countdown',
    settings: { minutes: 4 },
  },
  {
    prompt:
      'Website for Bella Napoli, a pizzeria at 12 Harbour Street. Margherita $9, Diavola $11, Tiramisu $6. Open Tue-Sun 17:00-23:00. Call 555-010-2244',
    template: 'landing',
    name: 'Bella Napoli',
    texts: ['Margherita', '$9', '12 Harbour Street', '555-010-2244', '17:00-23:00'],
  },
  {
    prompt: 'landing page for my startup "Glow", a skincare app, pink and modern',
    template: 'landing',
    name: 'Glow',
    accent: '#d6368b',
  },
  {
    prompt: 'Webseite für meine Bäckerei Krume in der Hauptstraße 5',
    template: 'landing',
    lang: 'de',
    name: 'Bäckerei Krume',
    texts: ['Hauptstraße 5'],
  },
  {
    prompt: 'página web para mi peluquería "Tijeras"',
    template: 'landing',
    lang: 'es',
    name: 'Tijeras',
  },
  { prompt: 'something for my hair salon', template: 'landing' },
  {
    prompt: 'portfolio for Ana Gil, a wedding photographer',
    template: 'portfolio',
    name: 'Ana Gil',
    texts: ['Photography'],
  },
  {
    prompt: 'mon CV en ligne, développeur web',
    template: 'portfolio',
    lang: 'fr',
    texts: ['Développement logiciel'],
  },
  { prompt: 'FAQ page for our library', template: 'docs', name: 'Library FAQ' },
  { prompt: 'Dokumentation mit Suche', template: 'docs', lang: 'de' },
  {
    prompt: 'snake game in neon green on black',
    template: 'game',
    variant: 'snake',
    mode: 'dark',
    accent: '#1f8a5b',
  },
  { prompt: 'tic tac toe', template: 'game', variant: 'tictactoe' },
  { prompt: 'jeu de mémoire', template: 'game', variant: 'memory', lang: 'fr' },
  { prompt: 'make me tetris, a fun game', template: 'game', variant: 'blocks' },
  {
    prompt: 'ein Tetris in dunkel',
    template: 'game',
    variant: 'blocks',
    lang: 'de',
    mode: 'dark',
  },
  {
    prompt: 'poll: where should we eat? pizza, sushi or tacos',
    template: 'form',
    variant: 'poll',
    texts: ['Pizza', 'Sushi', 'Tacos'],
  },
  { prompt: 'RSVP page for our summer party', template: 'form', variant: 'rsvp' },
  {
    prompt: 'contact form with name, email, phone and message',
    template: 'form',
    variant: 'form',
    fields: ['Name', 'Email', 'Phone', 'Message'],
  },
  { prompt: 'Umfrage zur Mitarbeiterzufriedenheit', template: 'form', lang: 'de' },
  { prompt: 'notes app with tags', template: 'notes', variant: 'notes' },
  { prompt: 'Tagebuch', template: 'notes', variant: 'journal', lang: 'de' },
  {
    prompt: 'Wedding page for Lena and Tom on 12 June 2027 in Lisbon',
    template: 'event',
    name: 'Lena & Tom',
    texts: ['2027-06-12', 'Lisbon'],
  },
  { prompt: 'conference website with schedule', template: 'event' },
  { prompt: 'something cool', template: 'quiz' },
  {
    prompt: 'eine App für Bäckerei Huber',
    template: 'landing',
    lang: 'de',
    name: 'Bäckerei Huber',
  },
  {
    prompt: 'Seite für das Café Sonnenschein in Berlin mit Öffnungszeiten Mo-Fr 8-18',
    template: 'landing',
    lang: 'de',
    name: 'Café Sonnenschein',
    texts: ['8-18'],
  },
  {
    prompt: 'Homepage für die Tischlerei Gruber & Söhne',
    template: 'landing',
    lang: 'de',
    name: 'Tischlerei Gruber & Söhne',
  },
  {
    prompt: 'Webseite für unser Restaurant Zum Goldenen Hirsch',
    template: 'landing',
    lang: 'de',
    name: 'Restaurant Zum Goldenen Hirsch',
  },
  {
    prompt: 'App für den Sportverein Blau-Weiß zum Verwalten der Mitglieder',
    template: 'tracker',
    lang: 'de',
    fields: ['Name'],
  },
  {
    prompt: 'Ein Portfolio für den Fotografen Jonas Weber',
    template: 'portfolio',
    lang: 'de',
    name: 'Jonas Weber',
  },
  {
    prompt: 'Seite zum Geburtstag von Oma Erna am 3. Mai 2027',
    template: 'event',
    lang: 'de',
    name: 'Geburtstag von Oma Erna',
    texts: ['2027-05-03'],
  },
  {
    prompt: 'una página para la panadería La Espiga',
    template: 'landing',
    lang: 'es',
    name: 'Panadería La Espiga',
  },
  {
    prompt: 'web para mi cafetería Luna Llena con precios',
    template: 'landing',
    lang: 'es',
    name: 'Cafetería Luna Llena',
  },
  {
    prompt: 'quiz de animales para niños',
    template: 'quiz',
    lang: 'es',
    texts: ['ballena azul'],
  },
  { prompt: 'quiero un juego de tetris', template: 'game', variant: 'blocks', lang: 'es' },
  {
    prompt: 'site pour le café de la Gare',
    template: 'landing',
    lang: 'fr',
    name: 'Café de la Gare',
  },
  {
    prompt: 'site web pour Boulangerie Martin, 12 rue de la Paix',
    template: 'landing',
    lang: 'fr',
    name: 'Boulangerie Martin',
    texts: ['12 rue de la Paix'],
  },
  { prompt: 'quiz sur le système solaire', template: 'quiz', lang: 'fr', texts: ['Jupiter'] },
  { prompt: "website for Joe's Garage", template: 'landing', name: "Joe's Garage" },
  { prompt: 'Bella Napoli pizzeria website', template: 'landing', name: 'Bella Napoli' },
  {
    prompt: 'quiz about the solar system',
    template: 'quiz',
    name: 'Solar System Quiz',
    texts: ['Jupiter', 'Mercury'],
  },
  { prompt: 'javascript quiz', template: 'quiz', name: 'Javascript Quiz', texts: ['typeof'] },
  {
    prompt: 'chess game',
    template: 'game',
    variant: 'tictactoe',
    texts: ['no template'],
    lacks: 'it is another game; it says so',
  },
];
