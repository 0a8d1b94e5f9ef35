import type { JudgedPrompt } from './prompts.ts';

/** Prompts that state fields, options and answers, in lists and in running text, as people write them. */
export const fieldPrompts: readonly JudgedPrompt[] = [
  {
    prompt:
      'We are a small climbing gym and we want members to sign up for our evenings: put down their name, the evening (Mon, Wed, Fri), their level (beginner, intermediate, advanced), whether they need a belay partner… and we want to filter by evening and level',
    template: 'tracker',
    onlyFields: ['Name', 'Evening', 'Level', 'Needs a belay partner'],
    options: { Evening: ['Mon', 'Wed', 'Fri'], Level: ['Beginner', 'Intermediate', 'Advanced'] },
  },
  {
    prompt:
      'RSVP form for our summer party on July 12 2027 at 6pm in Riverside Park, ask for name, number of guests and dietary needs',
    template: 'form',
    variant: 'rsvp',
    onlyFields: ['Name', 'Your answer', 'Number of guests', 'Dietary needs'],
    texts: ['July 12, 2027', '18:00', 'Riverside Park'],
  },
  {
    prompt: 'wher to meet poll: pizza, sushi or burger',
    template: 'form',
    variant: 'poll',
    texts: ['"Where shall we meet?"', '"Pizza","Sushi","Burger"'],
  },
  {
    prompt: 'Umfrage zum Teamausflug: Bowling, Kino oder Escape Room',
    template: 'form',
    variant: 'poll',
    lang: 'de',
    texts: ['Teamausflug: Was wählst du?', '"Bowling","Kino","Escape Room"'],
  },
  {
    prompt: 'encuesta donde quedamos: bar, parque o casa de Ana',
    template: 'form',
    variant: 'poll',
    lang: 'es',
    texts: ['¿Dónde quedamos?', '"Bar","Parque","Casa de Ana"'],
  },
  {
    prompt: 'sondage quel jour pour la réunion : lundi, mardi ou jeudi',
    template: 'form',
    variant: 'poll',
    lang: 'fr',
    texts: ['Quel jour pour la réunion ?', '"Lundi","Mardi","Jeudi"'],
  },
  {
    prompt: 'poll for the offsite: Berlin / Lisbon / Prague',
    template: 'form',
    variant: 'poll',
    texts: ['Offsite: what do you choose?', '"Berlin","Lisbon","Prague"'],
  },
  {
    prompt: 'Einkaufsliste mit Mengen und Abhaken',
    template: 'tracker',
    variant: 'checklist',
    lang: 'de',
    onlyFields: ['Was', 'Menge', 'Erledigt', 'Kategorie'],
  },
  {
    prompt: 'lista de la compra con cantidades y tachar',
    template: 'tracker',
    lang: 'es',
    onlyFields: ['Concepto', 'Cantidad', 'Hecho', 'Categoría'],
  },
  {
    prompt: 'liste de tâches avec priorités et dates limites',
    template: 'tracker',
    lang: 'fr',
    onlyFields: ['Tâche', 'Priorité', 'Date limite', 'Fait', 'Notes'],
  },
  {
    prompt: 'Rezeptsammlung mit Zutaten und Kochzeit',
    template: 'tracker',
    lang: 'de',
    onlyFields: ['Titel', 'Zutaten', 'Kochzeit (min)', 'Kategorie', 'Portionen', 'Bewertung', 'Zubereitung'],
    types: { 'Kochzeit (min)': 'number' },
  },
  {
    prompt: 'book club: books we read, who picked it, rating, and next meeting date',
    template: 'tracker',
    onlyFields: ['Book', 'Who picked it', 'Rating', 'Next meeting date'],
    types: { 'Next meeting date': 'date' },
  },
  {
    prompt: 'simple invoyce tracker for freelancer with clients, ammount, due date and paid or not',
    template: 'tracker',
    onlyFields: ['Number', 'Client', 'Amount', 'Due date', 'Paid'],
    types: { Amount: 'currency', Paid: 'checkbox' },
    texts: ['invoyce → invoice'],
  },
  {
    prompt: 'Haushaltsbuch mit Bertag, Kathegorie, Datum und ob es fix ist oder nicht',
    template: 'tracker',
    lang: 'de',
    fields: ['Betrag', 'Kategorie', 'Datum'],
    types: { Betrag: 'currency' },
  },
  {
    prompt: 'CRM with company, contact person, deal value, stage (lead, negotiation, won) and last contact',
    template: 'tracker',
    onlyFields: ['Contact person', 'Company', 'Deal value', 'Stage', 'Last contact'],
    types: { 'Deal value': 'currency', 'Last contact': 'date' },
  },
  {
    prompt: 'restaurant bookings with name, table number, number of guests, time',
    template: 'tracker',
    onlyFields: ['Name', 'Table number', 'Number of guests', 'Time'],
    types: { 'Table number': 'number', 'Number of guests': 'number', Time: 'time' },
  },
  {
    prompt: 'guest list with name, whether they confirmed, and how many people',
    template: 'tracker',
    onlyFields: ['Name', 'Confirmed', 'Number of people'],
    types: { Confirmed: 'checkbox', 'Number of people': 'number' },
  },
  {
    prompt: 'workout log sets reps weight',
    template: 'tracker',
    onlyFields: ['What', 'Sets', 'Reps', 'Weight'],
  },
  {
    prompt: 'dashboard of sales by month and region',
    template: 'dashboard',
    onlyFields: ['Month', 'Sales, North', 'Sales, South', 'Sales, West'],
  },
  {
    prompt: 'Dashboard für Umsatz nach Region und Monat',
    template: 'dashboard',
    lang: 'de',
    onlyFields: ['Monat', 'Umsatz, Nord', 'Umsatz, Süd', 'Umsatz, West'],
  },
  {
    prompt: 'contact list name phone email',
    template: 'tracker',
    onlyFields: ['Name', 'Phone', 'Email'],
  },
  {
    prompt: 'tool inventory: name / borrower / due date / returned',
    template: 'tracker',
    onlyFields: ['Name', 'Borrower', 'Due date', 'Returned'],
    types: { Returned: 'checkbox' },
  },
  {
    prompt: 'Plant journal\n- name\n- species\n- last watered\n- needs sun (yes/no)',
    template: 'tracker',
    onlyFields: ['Name', 'Species', 'Last watered', 'Needs sun'],
    types: { 'Last watered': 'date', 'Needs sun': 'checkbox' },
  },
  {
    prompt: 'An app for my beekeeping. It should have hive, date, honey in kg. Also notes.',
    template: 'tracker',
    fields: ['Hive', 'Date', 'Honey in kg', 'Notes'],
    types: { 'Honey in kg': 'number' },
  },
  {
    prompt:
      'Hi, I run a small bike repair shop and at the moment everything is on paper, which is a mess. When a customer comes in I write down their name, phone number, the bike model, what is broken and when I promised it would be ready. I’d like a simple app for that. For each repair I also want to note the price, whether it is already paid and the status (waiting, in progress, ready, picked up). I want to filter by status and see the total of what is still unpaid. Nothing fancy, no login please.',
    template: 'tracker',
    onlyFields: ['Name', 'Phone number', 'Bike model', 'What is broken', 'Date', 'Price', 'Paid', 'Status'],
    options: { Status: ['Waiting', 'In progress', 'Ready', 'Picked up'] },
  },
  {
    prompt:
      'Wir sind ein kleiner Kleingartenverein mit 40 Parzellen und wollen endlich weg von der Excel-Tabelle. Für jeden Pächter möchten wir Name, Parzellennummer, Telefon, E-Mail und das Eintrittsdatum erfassen. Außerdem wollen wir festhalten, ob der Jahresbeitrag bezahlt ist und wie viele Arbeitsstunden geleistet wurden. Schön wäre eine Suche. Bitte schlicht und gut lesbar.',
    template: 'tracker',
    lang: 'de',
    onlyFields: [
      'Name',
      'Parzellennummer',
      'Telefon',
      'E-Mail',
      'Eintrittsdatum',
      'Jahresbeitrag bezahlt',
      'Anzahl Arbeitsstunden',
    ],
    types: { 'Jahresbeitrag bezahlt': 'checkbox', 'Anzahl Arbeitsstunden': 'number' },
  },
  {
    prompt:
      'Tengo una pequeña academia de inglés y quiero llevar el control de mis alumnos. De cada alumno quiero apuntar el nombre, la edad, el nivel (básico, intermedio, avanzado), el teléfono de los padres y si ya ha pagado la cuota del mes. También me gustaría anotar cuántas clases ha dado y la fecha de la última clase. Quiero poder filtrar por nivel y ver quién no ha pagado. Que sea fácil de usar.',
    template: 'tracker',
    lang: 'es',
    onlyFields: [
      'Nombre',
      'Edad',
      'Nivel',
      'Teléfono de los padres',
      'Ha pagado la cuota del mes',
      'Número de clases',
      'Fecha de la última clase',
    ],
    types: { 'Ha pagado la cuota del mes': 'checkbox', 'Teléfono de los padres': 'phone' },
  },
  {
    prompt:
      'Nous sommes une petite association de quartier et nous prêtons des outils aux habitants. Je voudrais une application simple pour noter le nom de l’outil, la personne qui l’emprunte, son téléphone, la date de prêt, la date de retour prévue et si l’outil est rendu. On aimerait aussi indiquer l’état (neuf, bon, usé) et la caution. Il faudrait pouvoir filtrer par état et voir les retards.',
    template: 'tracker',
    lang: 'fr',
    fields: ['Téléphone', 'Date de prêt', 'Date de retour prévue', 'Rendu', 'État', 'Caution'],
    types: { Rendu: 'checkbox', Caution: 'currency' },
    options: { État: ['Neuf', 'Bon', 'Usé'] },
  },
  {
    prompt:
      'We have a book club of 8 people. I’d like to keep a list of the books, with title, author, who suggested it, when we meet to discuss it, and everyone’s average score out of 5. Also a field for notes from the discussion.',
    template: 'tracker',
    fields: ['Title', 'Author', 'Who suggested it', 'Date', 'Notes from the discussion'],
  },
  {
    prompt:
      'formulaire d’inscription à la sortie kayak, demander nom, téléphone, s’ils savent nager et la taille (S, M, L)',
    template: 'form',
    lang: 'fr',
    onlyFields: ['Nom', 'Téléphone', 'Savent nager', 'Taille'],
    types: { 'Savent nager': 'checkbox' },
  },
  {
    prompt:
      'Formular für Kuchenspenden beim Schulfest am 5. Juni 2027 um 14 Uhr, abfragen: Name, Kuchenart, ob vegan, Anzahl Stücke',
    template: 'form',
    lang: 'de',
    onlyFields: ['Name', 'Kuchenart', 'Vegan', 'Anzahl Stücke'],
    texts: ['5. Juni 2027', '14:00'],
  },
  {
    prompt: 'an app to track income and expenses',
    template: 'tracker',
    fields: ['Amount', 'Category', 'Date'],
  },
];
