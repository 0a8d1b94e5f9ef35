import type { JudgedPrompt } from './prompts.ts';

/** Pages, forms, quizzes and other prompts judged before anybody had read the rules. */
export const freshPagePrompts: readonly JudgedPrompt[] = [
  {
    prompt: 'Quiz about the Kuiper belt and dwarf planets, 8 questions',
    template: 'quiz',
    name: 'Quiz',
  },
  {
    prompt:
      'Meet Poll: find out which of these evenings suits everyone for our book club: Mon 3 March, Wed 5 March, Thu 6 March',
    template: 'form',
    variant: 'poll',
    name: 'Meet Poll',
    options: { 'Your answer': ['Mon 3 March', 'Wed 5 March', 'Thu 6 March'] },
    texts: ['Which of these evenings suits everyone for our book club?'],
  },
  {
    prompt:
      "RSVP for Hannah and Tom's wedding on 14 June 2026 at Barley Barn, meal choice: beef, salmon, vegetarian, and allergies",
    template: 'form',
    variant: 'rsvp',
    name: 'RSVP',
    onlyFields: ['Name', 'Your answer', 'Meal choice', 'Allergies'],
    types: { Allergies: 'longtext' },
    options: { 'Meal choice': ['Beef', 'Salmon', 'Vegetarian'] },
  },
  {
    prompt:
      "flashcards for my Italian class: ciao = hello, grazie = thank you, prego = you're welcome, scusi = excuse me",
    template: 'flashcards',
    name: 'Flashcards',
    texts: ['"prompt":"scusi","answer":"excuse me"'],
  },
  {
    prompt:
      'sing up form for the school bake sale with parent name, child, class, what they bring and whether it contains nuts',
    template: 'form',
    variant: 'form',
    name: 'Sign Up Form',
    onlyFields: ['Parent name', 'Child', 'Class', 'What they bring', 'Contains nuts'],
    types: { 'Contains nuts': 'checkbox' },
  },
  {
    prompt:
      'FAQ page for our campsite: Can I bring a dog? Yes, on a lead. When is check in? From 2 pm. Is there wifi? Only at reception.',
    template: 'docs',
    name: 'Campsite FAQ',
    texts: [
      'Can I bring a dog?',
      'When is check in?',
      'Is there wifi?',
      'Yes, on a lead.',
      'From 2 pm.',
      'Only at reception.',
    ],
  },
  {
    prompt: "Dashboard of our bakery's sales: revenue, customers, loaves sold, waste in kg per day",
    template: 'dashboard',
    name: 'Dashboard',
    fields: ['Revenue', 'Customer', 'Loaves sold', 'Waste in kg per day'],
  },
  {
    prompt: 'habit tracker to drink water, stretch, read 10 pages and be in bed by 11',
    template: 'habits',
    name: 'Habit Tracker',
    texts: ['Drink water', 'Stretch', 'Read 10 pages', 'Be in bed by 11'],
  },
  {
    prompt:
      'sea shanty singing club website: who we are, when we meet (Thursdays 8pm at the Anchor pub), songs we sing, how to join',
    template: 'landing',
    name: 'Sea Shanty Singing Club',
    texts: ['Who we are', 'When we meet', 'Songs we sing', 'How to join'],
  },
  {
    prompt:
      'A programme for our village fete on 5 July: 10:00 opening by the mayor, 11:30 dog show, 13:00 tug of war, 15:00 raffle',
    template: 'event',
    name: 'Village Fete',
    texts: ['Opening by the mayor', 'Dog show', 'Tug of war', 'Raffle', '10:00', '11:30', '13:00', '15:00'],
  },
  {
    prompt:
      'Vereinsseite für den Schachclub Turm Bautzen, Training dienstags 18 Uhr im Bürgerhaus, Kontakt: info@turm-bautzen.de',
    template: 'landing',
    lang: 'de',
    name: 'Schachclub Turm Bautzen',
    texts: ['Training', 'Dienstags 18 Uhr'],
  },
  {
    prompt: 'Quiz über die Geschichte der Eisenbahn mit 6 Fragen',
    template: 'quiz',
    lang: 'de',
    name: 'Quiz',
  },
  {
    prompt:
      'Anmeldung zum Sommerfest der Kita Regenbogen: Name, Anzahl Personen, was wir mitbringen, Salat oder Kuchen',
    template: 'form',
    variant: 'form',
    lang: 'de',
    name: 'Anmeldung zum Sommerfest',
    onlyFields: ['Name', 'Anzahl Personen', 'Was wir mitbringen', 'Salat oder Kuchen'],
    types: { 'Anzahl Personen': 'number' },
    options: { 'Salat oder Kuchen': ['Salat', 'Kuchen'] },
  },
  {
    prompt: 'Umfrage: Welcher Termin passt für die Wanderung? Sa 10. Mai, So 11. Mai, Sa 17. Mai',
    template: 'form',
    variant: 'poll',
    lang: 'de',
    name: 'Umfrage',
    options: { 'Deine Antwort': ['Sa 10. Mai', 'So 11. Mai', 'Sa 17. Mai'] },
    texts: ['Welcher Termin passt für die Wanderung?'],
  },
  {
    prompt: 'cuestionario sobre la capital de cada pais de sudamerica',
    template: 'quiz',
    lang: 'es',
    name: 'Quiz: Capital de cada pais',
  },
  {
    prompt:
      'Site pour ma boulangerie "Au Bon Levain" à Nantes, baguette 1,20 €, croissant 1,10 €, ouvert du mardi au dimanche de 7h à 19h',
    template: 'landing',
    lang: 'fr',
    name: 'Au Bon Levain',
    texts: ['Mardi au dimanche', '7h à 19h'],
  },
  {
    prompt: 'sondage pour choisir le film de vendredi : Amélie, Intouchables, Le Dîner de cons',
    template: 'form',
    variant: 'poll',
    lang: 'fr',
    name: 'Sondage',
    options: { 'Votre réponse': ['Amélie', 'Intouchables', 'Le Dîner de cons'] },
    texts: ['Film de vendredi : que choisissez-vous ?'],
  },
  {
    prompt:
      "Formulaire d'inscription au tournoi de pétanque : nom, équipe, téléphone, niveau (débutant, confirmé), déjeuner sur place",
    template: 'form',
    variant: 'form',
    lang: 'fr',
    name: 'Inscription au tournoi',
    onlyFields: ['Nom', 'Équipe', 'Téléphone', 'Niveau', 'Déjeuner sur place'],
    types: { Téléphone: 'phone' },
    options: { Niveau: ['Débutant', 'Confirmé'] },
  },
  {
    prompt:
      'choir website for "Harmony Lane", rehearsals Tuesdays 7.30pm at St Mary\'s church hall, sections: about the choir, concerts, join us',
    template: 'landing',
    name: 'Harmony Lane',
    texts: ['About the choir', 'Join us', 'Rehearsals', 'Tuesdays 7.30pm'],
  },
  {
    prompt:
      'Sign-up for the 5k charity run: name, age, t-shirt size (S, M, L, XL), emergency contact, club or independent',
    template: 'form',
    variant: 'form',
    name: 'Sign-up for the 5k charity run',
    onlyFields: ['Name', 'Age', 'T-shirt size', 'Emergency contact', 'Club or independent'],
    types: { Age: 'number' },
    options: { 'T-shirt size': ['S', 'M', 'L', 'XL'], 'Club or independent': ['Club', 'Independent'] },
  },
  {
    prompt: 'Retirement party for Dave on 12 September at 7pm in the Red Lion, buffet and karaoke',
    template: 'event',
    name: 'Party for Dave',
    texts: ['Red Lion'],
    lacks: 'buffet and karaoke are not said on the page',
  },
  {
    prompt:
      'price list page for my nail studio: manicure 25€, gel nails 40€, pedicure 35€, closed on mondays',
    template: 'landing',
    name: 'Nail Studio',
    texts: ['Manicure', 'Gel nails', 'Pedicure', 'Mondays', 'closed'],
  },
  {
    prompt:
      'FAQ für unser Hallenbad: Wann habt ihr geöffnet? Täglich von 8 bis 20 Uhr. Was kostet der Eintritt? 5 Euro. Gibt es Schließfächer? Ja, mit Münze.',
    template: 'docs',
    lang: 'de',
    name: 'FAQ: Hallenbad',
    texts: [
      'Wann habt ihr geöffnet?',
      'Was kostet der Eintritt?',
      'Gibt es Schließfächer?',
      'Täglich von 8 bis 20 Uhr.',
      '5 Euro.',
      'Ja, mit Münze.',
    ],
  },
  {
    prompt: 'Encuesta: ¿qué día quedamos para la barbacoa? viernes, sábado o domingo',
    template: 'form',
    variant: 'poll',
    lang: 'es',
    name: 'Votación',
    options: { 'Tu respuesta': ['Viernes', 'Sábado', 'Domingo'] },
    texts: ['¿Qué día quedamos para la barbacoa?'],
  },
  {
    prompt: 'temporizador para estudiar 45 minutos y descansar 15',
    template: 'timer',
    variant: 'pomodoro',
    lang: 'es',
    name: 'Pomodoro',
    settings: { work: 45, shortBreak: 15, longBreak: 15, rounds: 4 },
  },
  {
    prompt: 'Anniversaire de Léo samedi 7 juin à 15h à la salle des fêtes, merci de confirmer',
    template: 'event',
    lang: 'fr',
    name: 'Anniversaire de Léo',
    texts: ['Salle des fêtes'],
  },
  {
    prompt:
      'Please build a site for the knitting group "Loose Ends". We meet every Wednesday at 6pm in the library. Parts: our projects, patterns, newcomers',
    template: 'landing',
    name: 'Loose Ends',
    texts: ['Our projects', 'Patterns', 'Newcomers', 'Meeting', 'Wednesday 6pm'],
  },
  {
    prompt: 'flea market stall sign up sheet: name, stall length in m, what you sell, power needed yes/no',
    template: 'form',
    variant: 'form',
    name: 'Flea Market Stall Sign Up Sheet',
    onlyFields: ['Name', 'Stall length in m', 'What you sell', 'Power needed'],
    types: { 'Stall length in m': 'number', 'Power needed': 'checkbox' },
  },
  {
    prompt: 'Formulario para el taller de cerámica: nombre, edad, correo, turno mañana o tarde',
    template: 'form',
    variant: 'form',
    lang: 'es',
    name: 'Formulario',
    onlyFields: ['Nombre', 'Edad', 'Correo', 'Turno'],
    types: { Edad: 'number', Correo: 'email' },
    options: { Turno: ['Mañana', 'Tarde'] },
  },
  {
    prompt:
      'holiday home guest book page for "Seaview Cottage": wifi password, bins, nearest pub, check-out at 10',
    template: 'landing',
    name: 'Seaview Cottage',
    texts: ['Wifi password', 'Bins', 'Nearest pub', 'Check-out at 10'],
  },
  {
    prompt: 'Running club poll: which route on Sunday? River loop, Forest trail, Town parks',
    template: 'form',
    variant: 'poll',
    name: 'Running Club Poll',
    options: { 'Your answer': ['River loop', 'Forest trail', 'Town parks'] },
    texts: ['Which route on Sunday?'],
  },
];
