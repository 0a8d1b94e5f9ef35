import type { JudgedPrompt } from './prompts.ts';

/** Prompts for sites, events, quizzes and help pages, with what of them must be found in the build. */
export const contentPrompts: readonly JudgedPrompt[] = [
  {
    prompt: 'countdown to new year',
    template: 'event',
    texts: ['"@01-01"', '"time":"00:00"', '"rsvp":"no"', '"sections":[]'],
  },
  {
    prompt: 'cuenta atrás para mi cumpleaños el 12 de abril',
    template: 'event',
    lang: 'es',
    texts: ['"@04-12"', '"time":"00:00"', '"rsvp":"no"'],
  },
  {
    prompt: 'Countdown bis Weihnachten',
    template: 'event',
    lang: 'de',
    texts: ['"time":"00:00"', '"sections":[]'],
  },
  {
    prompt: 'countdown to our product launch on 3 March 2027 at 10am',
    template: 'event',
    name: 'Product Launch',
    texts: ['2027-03-03', '"time":"10:00"', '"rsvp":"no"'],
  },
  {
    prompt: 'Countdown to the new years party at Anna’s house, bring snacks',
    template: 'event',
    texts: ['Anna’s house', 'Snacks'],
  },
  {
    prompt: 'a website for my band The Velvet Foxes with tour dates',
    template: 'landing',
    name: 'The Velvet Foxes',
    texts: ['Tour dates', '"hours":[]', 'replace this example'],
  },
  {
    prompt: 'Webseite für meine Band Die Nachteulen mit Tourterminen und Galerie',
    template: 'landing',
    lang: 'de',
    name: 'Die Nachteulen',
    texts: ['"title":"Termine"', 'Galerie', '"hours":[]'],
  },
  {
    prompt: 'página web para mi grupo Los Gatos con fechas de gira: 3 de mayo Madrid, 5 de mayo Sevilla',
    template: 'landing',
    lang: 'es',
    name: 'Los Gatos',
    texts: ['{"title":"Madrid","price":"3 de mayo"}'],
  },
  {
    prompt: 'site pour mon groupe Les Voisins, dates de concerts, photos',
    template: 'landing',
    lang: 'fr',
    name: 'Les Voisins',
    texts: ['"title":"Dates"', 'Galerie'],
  },
  {
    prompt: 'Un quiz sur les capitales d’Europe',
    template: 'quiz',
    lang: 'fr',
    texts: ['Varsovie', 'Athènes'],
  },
  {
    prompt: 'European capitals quiz',
    template: 'quiz',
    name: 'European Capitals Quiz',
    texts: ['What is the capital of Poland?'],
  },
  {
    prompt: 'Hauptstädte-Quiz Afrika',
    template: 'quiz',
    lang: 'de',
    name: 'Hauptstädte-Quiz',
    texts: ['Nairobi'],
  },
  {
    prompt: 'Lernkarten Biologie',
    template: 'flashcards',
    lang: 'de',
    name: 'Lernkarten: Biologie',
    texts: ['Fotosynthese'],
  },
  {
    prompt: 'flashcards to learn japanese hiragana',
    template: 'flashcards',
    texts: ['"prompt":"あ","answer":"a"'],
  },
  { prompt: 'Erste-Hilfe-Quiz', template: 'quiz', lang: 'de', texts: ['stabilen Seitenlage'] },
  { prompt: 'quiz deportes', template: 'quiz', lang: 'es', texts: ['maratón'] },
  { prompt: 'quiz géographie', template: 'quiz', lang: 'fr', texts: ['Groenland'] },
  { prompt: 'periodic table flashcards', template: 'flashcards', texts: ['Sodium'] },
  {
    prompt: 'English Spanish vocabulary trainer',
    template: 'flashcards',
    texts: ['hola', 'hello'],
  },
  {
    prompt: 'FAQ page for our HR department about vacation, sick leave and remote work',
    template: 'docs',
    name: 'HR FAQ',
    texts: ['What applies to vacation?', 'about sick leave?', 'Remote work'],
  },
  {
    prompt: 'FAQ für unseren Sportverein zu Mitgliedsbeitrag, Trainingszeiten und Probetraining',
    template: 'docs',
    lang: 'de',
    name: 'FAQ: Sportverein',
    texts: ['Mitgliedsbeitrag?', '"title":"Trainingszeiten"', 'Probetraining?'],
  },
  {
    prompt: 'preguntas frecuentes sobre envíos, devoluciones y pagos para mi tienda',
    template: 'docs',
    lang: 'es',
    texts: ['"Envíos"', '"Devoluciones"', '"Pagos"'],
  },
  {
    prompt: 'foire aux questions sur la cantine, les horaires et les inscriptions',
    template: 'docs',
    lang: 'fr',
    texts: ['la cantine ?', 'les inscriptions ?'],
  },
  {
    prompt: 'FAQs (parking, check-in, pets, breakfast) for our hotel',
    template: 'docs',
    name: 'Hotel FAQ',
    texts: ['"Parking"', '"Check-in"', '"Pets"', '"Breakfast"'],
  },
  {
    prompt:
      'landing page for my SaaS "InboxZero", an email client that sorts mail, with pricing 9$ / 29$ per month, testimonials',
    template: 'landing',
    name: 'InboxZero',
    texts: ['"9$ / month"', '"29$ / month"', '"quotes"', 'An email client that sorts mail'],
  },
  {
    prompt:
      'Landingpage für unsere App "Fokus", Preise: kostenlos, 5 € und 12 € pro Monat, Kundenstimmen, FAQ',
    template: 'landing',
    lang: 'de',
    name: 'Fokus',
    texts: ['Kostenlos', '5 € / Monat', '12 € / Monat', 'Kundenstimmen', '"faq"'],
  },
  {
    prompt: 'página web para mi peluquería "Tijeras" en Calle Mayor 5',
    template: 'landing',
    lang: 'es',
    name: 'Tijeras',
    texts: ['"address":"Calle Mayor 5"'],
  },
  {
    prompt: 'site pour ma boulangerie à Nantes',
    template: 'landing',
    lang: 'fr',
    name: 'Boulangerie à Nantes',
    texts: ['"address":"Nantes"'],
  },
  {
    prompt: 'Webseite für meine Tischlerei in Kassel',
    template: 'landing',
    lang: 'de',
    name: 'Tischlerei in Kassel',
    texts: ['"address":"Kassel"', '"hours":[]'],
  },
  {
    prompt: 'Website for Nonna’s, an Italian restaurant, phone 555-0134, open Tue-Sun 12-22',
    template: 'landing',
    name: 'Nonna’s',
    texts: ['"phone":"555-0134"', '12-22'],
  },
  {
    prompt:
      'Homepage Kfz-Werkstatt Müller, Industriestr. 12, 34123 Kassel, Tel. 0561/98765, info@kfz-mueller.de, Mo-Fr 7-17 Uhr',
    template: 'landing',
    lang: 'de',
    name: 'Kfz-Werkstatt Müller',
    texts: ['Industriestr. 12, 34123 Kassel', '0561/98765', 'info@kfz-mueller.de', '7-17 Uhr'],
  },
  {
    prompt:
      'web de mi taller mecánico en Sevilla, desde 1987, teléfono 954 12 34 56, cambio de aceite desde 49 €',
    template: 'landing',
    lang: 'es',
    texts: ['954 12 34 56', 'desde 1987', '"Cambio de aceite","price":"desde 49 €"'],
  },
  {
    prompt: 'coffee shop page: espresso €2.50, cappuccino €3.20, croissant 2,80 €, follow us @beanhouse',
    template: 'landing',
    texts: ['"€2.50"', '"€3.20"', '"2,80 €"', '@beanhouse'],
  },
  {
    prompt: 'wedding of Sara & Tom, 5 June 2027, Villa Rossa, Florence',
    template: 'event',
    name: 'Sara & Tom',
    texts: ['2027-06-05', '"place":"Villa Rossa, Florence"'],
  },
  {
    prompt:
      'boda de Ana y Luis, 8 de mayo de 2027, 12:00 ceremonia, 14:00 comida, 18:00 baile, Finca El Olivar, Toledo',
    template: 'event',
    lang: 'es',
    name: 'Ana & Luis',
    texts: ['{"title":"Comida","meta":"14:00"}', 'Finca El Olivar, Toledo'],
  },
  {
    prompt:
      'Hochzeit von Lena und Paul am 12.6.2027 um 14:30 Uhr in der Schlosskirche Wittenberg, Dresscode: sommerlich festlich',
    template: 'event',
    lang: 'de',
    name: 'Lena & Paul',
    texts: ['2027-06-12', '14:30', 'Schlosskirche Wittenberg', 'Sommerlich festlich'],
  },
  {
    prompt:
      'portfolio for Mia Chen, UX designer, projects: Banking app redesign, Museum guide, skills Figma, user research, prototyping',
    template: 'portfolio',
    name: 'Mia Chen',
    texts: ['UX designer', 'Banking app redesign', 'Museum guide', '"Figma"', '"User research"'],
  },
  {
    prompt:
      'Lebenslauf für Jonas Keller, Softwareentwickler, Kenntnisse: TypeScript, Rust, SQL; Erfahrung: SAP 2019-2023',
    template: 'portfolio',
    lang: 'de',
    name: 'Jonas Keller',
    texts: ['Softwareentwickler', '"Rust"', 'SAP 2019-2023'],
  },
  { prompt: 'agenda', template: 'tracker', lang: 'es' },
  { prompt: 'recettes', template: 'tracker', lang: 'fr' },
  { prompt: 'Wunschliste', template: 'tracker', lang: 'de' },
];
