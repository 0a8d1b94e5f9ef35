import type { JudgedPrompt } from './prompts.ts';

/** Prompts that say something outright which must be found in the build: entries, names, words, questions, numbers. */
export const toldPrompts: readonly JudgedPrompt[] = [
  // What stands on a list is no field.
  {
    prompt: 'shopping list with milk, eggs, bread',
    template: 'tracker',
    variant: 'checklist',
    onlyFields: ['What', 'Quantity', 'Category', 'Done'],
    texts: ['"f0":"Milk"', '"f0":"Eggs"', '"f0":"Bread"'],
  },
  {
    prompt: 'eine Packliste für den Campingurlaub mit Zelt, Schlafsack, Kocher',
    template: 'tracker',
    variant: 'checklist',
    lang: 'de',
    types: { Erledigt: 'checkbox' },
    texts: ['"f0":"Zelt"', '"f0":"Schlafsack"', '"f0":"Kocher"'],
  },
  {
    prompt: 'lista de la compra con leche, huevos y pan',
    template: 'tracker',
    variant: 'checklist',
    lang: 'es',
    types: { Hecho: 'checkbox' },
    texts: ['"f0":"Leche"', '"f0":"Huevos"', '"f0":"Pan"'],
  },
  {
    prompt: 'liste de courses avec lait, œufs, pain',
    template: 'tracker',
    variant: 'checklist',
    lang: 'fr',
    types: { Fait: 'checkbox' },
    texts: ['"f0":"Lait"', '"f0":"Pain"'],
  },
  {
    prompt: 'todo list with call mom, buy stamps, water plants',
    template: 'tracker',
    variant: 'checklist',
    texts: ['"f0":"Call mom"', '"f0":"Buy stamps"', '"f0":"Water plants"'],
  },
  {
    prompt: 'wish list: bike, headphones, tent',
    template: 'tracker',
    variant: 'checklist',
    texts: ['"f0":"Bike"', '"f0":"Headphones"'],
  },
  {
    prompt: 'list of chores: dishes, laundry, vacuum',
    template: 'tracker',
    variant: 'checklist',
    texts: ['"f0":"Dishes"', '"f0":"Vacuum"'],
  },
  {
    prompt:
      'packing list for Norway with rain jacket, thermal underwear, phone charger, passport, name it Fjord',
    template: 'tracker',
    variant: 'checklist',
    name: 'Fjord',
    texts: ['"f0":"Phone charger"', '"f0":"Passport"'],
  },
  {
    prompt: 'Checkliste für den Umzug: Mietvertrag kündigen, Kartons packen, Strom ummelden',
    template: 'tracker',
    variant: 'checklist',
    lang: 'de',
    texts: ['"f0":"Mietvertrag kündigen"', '"f0":"Strom ummelden"'],
  },
  {
    prompt: 'liste de choses à faire : appeler maman, acheter du pain, arroser les plantes',
    template: 'tracker',
    variant: 'checklist',
    lang: 'fr',
    texts: ['"f0":"Appeler maman"', '"f0":"Acheter du pain"'],
  },
  {
    prompt: 'shopping list with quantity and store',
    template: 'tracker',
    variant: 'checklist',
    fields: ['Quantity', 'Store', 'Done'],
  },
  {
    prompt: 'packing list with category and packed',
    template: 'tracker',
    variant: 'checklist',
    fields: ['Category', 'Packed'],
  },
  {
    prompt: 'wish list with occasion, price, link',
    template: 'tracker',
    variant: 'checklist',
    onlyFields: ['What', 'Occasion', 'Price', 'Link', 'Done'],
  },
  {
    prompt: 'Einkaufsliste mit Menge, Laden und Preis',
    template: 'tracker',
    variant: 'checklist',
    lang: 'de',
    onlyFields: ['Was', 'Menge', 'Laden', 'Preis', 'Erledigt'],
  },
  // A name is no field.
  {
    prompt: 'todo list with due dates and priorities, call it Zap',
    template: 'tracker',
    variant: 'checklist',
    name: 'Zap',
    onlyFields: ['Task', 'Due', 'Priority', 'Done', 'Notes'],
  },
  {
    prompt: 'expense tracker with amount, date and category, title: Penny',
    template: 'tracker',
    name: 'Penny',
    onlyFields: ['What', 'Amount', 'Date', 'Category'],
  },
  {
    prompt: 'Ausgabentracker mit Betrag und Datum, er soll Groschen heißen',
    template: 'tracker',
    lang: 'de',
    name: 'Groschen',
    onlyFields: ['Was', 'Betrag', 'Datum', 'Kategorie', 'Notizen'],
  },
  {
    prompt: 'lista de tareas con fecha y prioridad, que se llame Rayo',
    template: 'tracker',
    lang: 'es',
    name: 'Rayo',
    onlyFields: ['Tarea', 'Fecha', 'Prioridad', 'Hecho', 'Notas'],
  },
  {
    prompt: 'suivi de dépenses avec montant et date, appelle-la Sous',
    template: 'tracker',
    lang: 'fr',
    name: 'Sous',
    onlyFields: ['Quoi', 'Montant', 'Date', 'Catégorie', 'Notes'],
  },
  // The habits that are named are kept.
  {
    prompt: 'habit tracker for water, sport and reading',
    template: 'habits',
    texts: ['[{"title":"Water"},{"title":"Sport"},{"title":"Reading"}]'],
  },
  {
    prompt: 'water, sport and reading habit tracker',
    template: 'habits',
    name: 'Habit Tracker',
    texts: ['[{"title":"Water"},{"title":"Sport"},{"title":"Reading"}]'],
  },
  {
    prompt: 'habit tracker with water, sport, reading and streaks',
    template: 'habits',
    texts: ['[{"title":"Water"},{"title":"Sport"},{"title":"Reading"}]'],
  },
  {
    prompt: 'Gewohnheitstracker für Wasser, Sport und Lesen',
    template: 'habits',
    lang: 'de',
    texts: ['[{"title":"Wasser"},{"title":"Sport"},{"title":"Lesen"}]'],
  },
  {
    prompt: 'rastreador de hábitos para agua, deporte y lectura',
    template: 'habits',
    lang: 'es',
    texts: ['[{"title":"Agua"},{"title":"Deporte"},{"title":"Lectura"}]'],
  },
  {
    prompt: 'suivi d’habitudes pour l’eau, le sport et la lecture',
    template: 'habits',
    lang: 'fr',
    texts: ['[{"title":"Eau"},{"title":"Sport"},{"title":"Lecture"}]'],
  },
  // The subject of a quiz as a whole, and the questions on it.
  {
    prompt: 'quiz about the planets of the solar system with 5 questions',
    template: 'quiz',
    name: 'Planets of the Solar System Quiz',
    texts: ['closest to the Sun', '"prompt":"What is the Sun?"'],
  },
  {
    prompt: 'a quiz about the bones of the human body',
    template: 'quiz',
    name: 'Bones of the Human Body Quiz',
    texts: ['"questions":[{"prompt":"How many bones'],
  },
  {
    prompt: 'quiz about the rivers of Europe',
    template: 'quiz',
    name: 'Quiz',
    texts: ['no ready questions on exactly this'],
    lacks: 'near',
  },
  {
    prompt: 'Quiz über die Planeten des Sonnensystems mit 5 Fragen',
    template: 'quiz',
    lang: 'de',
    name: 'Quiz: Planeten des Sonnensystems',
  },
  {
    prompt: 'quiz sobre los planetas del sistema solar con 5 preguntas',
    template: 'quiz',
    lang: 'es',
    name: 'Quiz: Planetas del sistema solar',
  },
  // The words to learn are those that are listed.
  {
    prompt: 'flash cards to learn Spanish verbs: ser, estar, tener',
    template: 'flashcards',
    texts: ['[{"prompt":"ser","answer":"to be"', '"tener","answer":"to have"'],
  },
  {
    prompt: 'tarjetas para aprender inglés: house, dog, umbrella',
    template: 'flashcards',
    lang: 'es',
    texts: ['"dog","answer":"perro"', '"umbrella"', 'escribe las que faltan'],
  },
  {
    prompt: 'Lernkarten mit den Wörtern Hund, Katze, Maus auf Spanisch',
    template: 'flashcards',
    lang: 'de',
    name: 'Lernkarten',
    texts: ['"Hund","answer":"perro"', '"prompt":"Maus"', 'fehlende bitte eintragen'],
  },
  {
    prompt: 'flashcards for biology: mitosis, osmosis, enzyme',
    template: 'flashcards',
    texts: ['"prompt":"mitosis"', '"prompt":"enzyme"', 'Not every card has its answer'],
  },
  {
    prompt: 'flashcards with the words apple = Apfel, house = Haus',
    template: 'flashcards',
    texts: ['{"prompt":"apple","answer":"Apfel"', '{"prompt":"house","answer":"Haus"'],
  },
  {
    prompt: 'flashcards: apple - Apfel, house - Haus, tree - Baum',
    template: 'flashcards',
    texts: ['{"prompt":"apple","answer":"Apfel"', '{"prompt":"tree","answer":"Baum"'],
  },
  {
    prompt: 'German flashcards: apple: Apfel, house: Haus',
    template: 'flashcards',
    texts: ['{"prompt":"apple","answer":"Apfel"', '{"prompt":"house","answer":"Haus"'],
  },
  {
    prompt: 'German flashcards\napple,Apfel\nhouse,Haus',
    template: 'flashcards',
    texts: ['{"prompt":"apple","answer":"Apfel"', '{"prompt":"house","answer":"Haus"'],
  },
  {
    prompt: 'cartes mémoire avec les mots chat = cat, chien = dog',
    template: 'flashcards',
    lang: 'fr',
    texts: ['{"prompt":"chat","answer":"cat"', '{"prompt":"chien","answer":"dog"'],
  },
  // A survey asks what it is told to ask.
  {
    prompt:
      'survey about our canteen with 4 questions: how is the food, how are the prices, how long do you wait, what do you miss',
    template: 'form',
    variant: 'form',
    name: 'Canteen Survey',
    onlyFields: ['How is the food?', 'How are the prices?', 'How long do you wait?', 'What do you miss?'],
    types: { 'How are the prices?': 'rating', 'How long do you wait?': 'text' },
  },
  {
    prompt: 'Umfrage zur Kantine mit den Fragen: Wie schmeckt das Essen? Wie sind die Preise? Was fehlt dir?',
    template: 'form',
    lang: 'de',
    variant: 'form',
    name: 'Umfrage zur Kantine',
    onlyFields: ['Wie schmeckt das Essen?', 'Wie sind die Preise?', 'Was fehlt dir?'],
  },
  {
    prompt:
      'encuesta sobre el comedor con las preguntas: ¿qué tal la comida?, ¿qué tal los precios?, ¿qué echas de menos?',
    template: 'form',
    lang: 'es',
    variant: 'form',
    name: 'Encuesta sobre el comedor',
    onlyFields: ['¿Qué tal la comida?', '¿Qué tal los precios?', '¿Qué echas de menos?'],
  },
  {
    prompt:
      'sondage sur la cantine avec les questions : comment est la nourriture, comment sont les prix, que manque-t-il',
    template: 'form',
    lang: 'fr',
    variant: 'form',
    name: 'Sondage sur la cantine',
    onlyFields: ['Comment est la nourriture ?', 'Comment sont les prix ?', 'Que manque-t-il ?'],
  },
  {
    prompt: 'employee survey: how happy are you at work, would you recommend us, what should we change',
    template: 'form',
    variant: 'form',
    name: 'Employee Survey',
    onlyFields: ['How happy are you at work?', 'Would you recommend us?', 'What should we change?'],
    types: { 'Would you recommend us?': 'select' },
  },
  {
    prompt: 'feedback form for our workshop asking what was good, what was bad, would you come again',
    template: 'form',
    name: 'Workshop Feedback Form',
    onlyFields: ['What was good?', 'What was bad?', 'Would you come again?'],
  },
  // A day and a time make an event of a club’s page.
  {
    prompt: 'book club page on 12 March at 19:00 in Cafe Lux',
    template: 'event',
    name: 'Book Club',
    texts: ['"day":"@03-12","time":"19:00","place":"Cafe Lux"'],
  },
  {
    prompt: 'Seite für unseren Buchclub am 12. März um 19 Uhr im Café Lux',
    template: 'event',
    lang: 'de',
    name: 'Buchclub',
    texts: ['"day":"@03-12","time":"19:00","place":"Café Lux"'],
  },
  {
    prompt: 'página del club de lectura el 12 de marzo a las 19:00 en Café Lux',
    template: 'event',
    lang: 'es',
    name: 'Club de lectura',
    texts: ['"day":"@03-12","time":"19:00","place":"Café Lux"'],
  },
  {
    prompt: 'page du club de lecture le 12 mars à 19h au Café Lux',
    template: 'event',
    lang: 'fr',
    name: 'Club de lecture',
    texts: ['"day":"@03-12","time":"19:00","place":"Café Lux"'],
  },
  {
    prompt: 'chess evening page on 3 May at 18:30 at the library',
    template: 'event',
    name: 'Chess Evening',
    texts: ['"day":"@05-03","time":"18:30"'],
  },
  // The trade stands above the name.
  {
    prompt: 'landing page for my yoga studio Lotus in Bremen with classes and a contact form',
    template: 'landing',
    texts: ['Yoga studio · Bremen'],
  },
  {
    prompt: 'Landingpage für mein Yogastudio Lotus in Bremen',
    template: 'landing',
    lang: 'de',
    texts: ['Yogastudio · Bremen'],
  },
  {
    prompt: 'página web para mi estudio de yoga Loto en Bilbao',
    template: 'landing',
    lang: 'es',
    texts: ['Estudio de yoga · Bilbao'],
  },
  {
    prompt: 'page pour mon studio de yoga Lotus à Brest',
    template: 'landing',
    lang: 'fr',
    texts: ['Studio de yoga · Brest'],
  },
  {
    prompt: 'landing page for my pottery studio Clay in Leeds',
    template: 'landing',
    texts: ['Pottery studio · Leeds'],
  },
  // A rate of tax is a percentage, and no app here writes invoices.
  {
    prompt: 'invoice generator with VAT',
    template: 'tracker',
    types: { 'VAT (%)': 'number' },
    texts: ['makes no documents'],
  },
  {
    prompt: 'Rechnungsgenerator mit Mehrwertsteuer',
    template: 'tracker',
    lang: 'de',
    types: { 'Mehrwertsteuer (%)': 'number' },
    texts: ['PDF-Dateien erzeugt sie nicht'],
  },
  {
    prompt: 'generador de facturas con IVA',
    template: 'tracker',
    lang: 'es',
    types: { 'IVA (%)': 'number' },
    texts: ['no genera documentos'],
  },
  {
    prompt: 'générateur de factures avec TVA',
    template: 'tracker',
    lang: 'fr',
    types: { 'TVA (%)': 'number' },
    texts: ['ne produit ni documents'],
  },
  // A stated goal is shown.
  {
    prompt: 'a water intake tracker with a daily goal of 2 litres',
    template: 'tracker',
    texts: ['Goal: 2 litres a day'],
  },
  {
    prompt: 'Wassertracker mit Tagesziel 2 Liter',
    template: 'tracker',
    lang: 'de',
    texts: ['Ziel: 2 Liter am Tag'],
  },
  {
    prompt: 'registro de agua con un objetivo diario de 2 litros',
    template: 'tracker',
    lang: 'es',
    texts: ['Objetivo: 2 litros al día'],
  },
  {
    prompt: 'suivi d’eau avec un objectif de 2 litres par jour',
    template: 'tracker',
    lang: 'fr',
    texts: ['Objectif : 2 litres par jour'],
  },
  {
    prompt: 'reading tracker with a goal of 20 books this year',
    template: 'tracker',
    texts: ['Goal: 20 books this year'],
  },
  // What is true of an example fits its text.
  {
    prompt: 'expense tracker in euros',
    template: 'tracker',
    texts: ['"f0":"Weekly groceries","f1":68.4', '"f0":"Pharmacy","f1":9.8'],
  },
  {
    prompt: 'workout tracker',
    template: 'tracker',
    texts: [
      '"f0":"Squats","f1":"Strength","f2":3,"f3":12,"f4":40',
      '"f0":"Morning yoga","f1":"Yoga","f5":30',
    ],
  },
];
