import { type Concept, c } from './concept.ts';
import { logConcepts } from './log-concepts.ts';

export type { Concept };

/** Fields that entities are made of and that lists in prompts are matched with. */
export const concepts: Readonly<Record<string, Concept>> = {
  name: c('text', 'Name|Name|Nombre|Nom', 'full name'),
  title: c('text', 'Title|Titel|Título|Titre'),
  what: c(
    'text',
    'What|Was|Concepto|Quoi',
    'exercise|übung|ejercicio|exercice|item|article|artikel|description',
  ),
  task: c('text', 'Task|Aufgabe|Tarea|Tâche', 'todo|to-do'),
  author: c('text', 'Author|Autor|Autor|Auteur', 'autorin|writer|autora'),
  artist: c('text', 'Artist|Künstler|Artista|Artiste', 'band'),
  company: c('text', 'Company|Firma|Empresa|Entreprise', 'employer|unternehmen|organisation|organization'),
  position: c('text', 'Position|Stelle|Puesto|Poste', 'job title|role'),
  client: c('text', 'Client|Kunde|Cliente|Client', 'customer|customer name|kundin'),
  place: c(
    'text',
    'Place|Ort|Lugar|Lieu',
    'location|standort|ubicación|venue|city|stadt|ciudad|ville|room|raum',
  ),
  address: c('text', 'Address|Adresse|Dirección|Adresse'),
  assignee: c(
    'text',
    'Assigned to|Zuständig|Responsable|Responsable',
    'assignee|owner|person|who|wer|verantwortlich',
  ),
  borrower: c(
    'text',
    'Borrowed by|Ausgeliehen von|Prestado a|Emprunté par',
    'borrower|lent to|loaned to|ausleiher|entleiher|ausgeliehen an|verliehen an|emprunteur|prêté à',
  ),
  species: c('text', 'Species|Art|Especie|Espèce', 'breed|rasse|raza|variety|sorte'),
  supplier: c('text', 'Supplier|Lieferant|Proveedor|Fournisseur', 'vendor|brand|marke|marca|marque'),
  sku: c('text', 'SKU|Artikelnummer|Referencia|Référence', 'article number|code|serial number|seriennummer'),
  number: c('text', 'Number|Nummer|Número|Numéro', 'invoice number|rechnungsnummer|no'),
  teacher: c('text', 'Teacher|Lehrkraft|Docente|Professeur', 'instructor|lehrer|profesor'),
  wish: c('text', 'Gift idea|Geschenkidee|Idea de regalo|Idée de cadeau', 'gift|present|wish'),
  translation: c('text', 'Translation|Übersetzung|Traducción|Traduction', 'meaning|bedeutung'),
  size: c('number', 'Size (m²)|Größe (m²)|Superficie (m²)|Surface (m²)', 'area|square metres|fläche', {
    range: [48, 96, 4],
    total: 'average',
  }),
  rooms: c('number', 'Rooms|Zimmer|Habitaciones|Pièces', 'bedrooms', { range: [2, 4, 1], total: 'none' }),
  dose: c('text', 'Dose|Dosis|Dosis|Dose', 'dosage|dosierung'),
  email: c('email', 'Email|E-Mail|Correo|E-mail', 'e-mail|mail|email address|correo electrónico|courriel'),
  phone: c('phone', 'Phone|Telefon|Teléfono|Téléphone', 'phone number|mobile|tel|telefonnummer|handy'),
  link: c('url', 'Link|Link|Enlace|Lien', 'url|website|webseite|sitio web|site|page'),
  notes: c(
    'longtext',
    'Notes|Notizen|Notas|Notes',
    'note|comment|comments|kommentar|details|bemerkung|notiz|comentario|comentarios|remarques|nota',
  ),
  ingredients: c('longtext', 'Ingredients|Zutaten|Ingredientes|Ingrédients'),
  steps: c(
    'longtext',
    'Steps|Zubereitung|Preparación|Préparation',
    'instructions|directions|anleitung|method',
  ),
  amount: c('currency', 'Amount|Betrag|Importe|Montant', 'cost|costs|kosten|sum|total|coste|coût|spent', {
    range: [4, 90, 0.5],
  }),
  price: c('currency', 'Price|Preis|Precio|Prix', 'unit price|prices', {
    range: [3, 120, 0.5],
    total: 'sum',
  }),
  budget: c('currency', 'Budget|Budget|Presupuesto|Budget', '', { range: [50, 900, 10] }),
  salary: c('currency', 'Salary|Gehalt|Salario|Salaire', 'pay|wage|lohn', {
    range: [38000, 82000, 1000],
    total: 'average',
  }),
  hourly: c('currency', 'Hourly rate|Stundensatz|Tarifa por hora|Taux horaire', 'rate per hour', {
    range: [45, 110, 5],
    total: 'average',
  }),
  value: c('currency', 'Value|Wert|Valor|Valeur', 'worth', { range: [20, 900, 5] }),
  quantity: c(
    'number',
    'Quantity|Menge|Cantidad|Quantité',
    'qty|count|stock|anzahl|bestand|in stock|stock level|existencias|units',
    { range: [1, 40, 1] },
  ),
  minimum: c('number', 'Minimum|Mindestbestand|Mínimo|Minimum', 'reorder level', {
    range: [2, 8, 1],
    total: 'none',
  }),
  year: c('number', 'Year|Jahr|Año|Année', '', { range: [1985, 2024, 1], total: 'none' }),
  pages: c('number', 'Pages|Seiten|Páginas|Pages', 'page count', { range: [120, 620, 4] }),
  servings: c('number', 'Servings|Portionen|Raciones|Portions', 'serves', {
    range: [2, 6, 1],
    total: 'none',
  }),
  minutes: c(
    'number',
    'Minutes|Minuten|Minutos|Minutes',
    'duration|dauer|duración|durée|prep time|length|time spent',
    { range: [15, 75, 5] },
  ),
  hours: c('number', 'Hours|Stunden|Horas|Heures', 'hours worked', { range: [1, 8, 0.5] }),
  distance: c(
    'number',
    'Distance (km)|Strecke (km)|Distancia (km)|Distance (km)',
    'distance|km|miles|strecke|distancia|kilometers',
    { range: [3, 16, 0.5] },
  ),
  weight: c('number', 'Weight (kg)|Gewicht (kg)|Peso (kg)|Poids (kg)', 'weight|kg|gewicht|peso|poids', {
    range: [63, 64.6, 0.2],
    total: 'average',
  }),
  sets: c('number', 'Sets|Sätze|Series|Séries', '', { range: [3, 5, 1] }),
  reps: c('number', 'Reps|Wiederholungen|Repeticiones|Répétitions', 'repetitions', { range: [6, 15, 1] }),
  calories: c('number', 'Calories|Kalorien|Calorías|Calories', 'kcal', { range: [180, 720, 20] }),
  protein: c('number', 'Protein (g)|Eiweiß (g)|Proteína (g)|Protéines (g)', 'protein|eiweiß|proteína', {
    range: [8, 42, 2],
  }),
  litres: c('number', 'Litres|Liter|Litros|Litres', 'liters|gallons', { range: [28, 46, 0.5] }),
  odometer: c(
    'number',
    'Odometer (km)|Kilometerstand|Kilometraje|Kilométrage',
    'odometer|mileage|kilometerstand',
    { range: [48200, 52400, 350], total: 'none' },
  ),
  score: c('number', 'Score|Punkte|Puntos|Score', 'points|grade|note|nota|punktzahl|mark', {
    range: [62, 98, 3],
    total: 'average',
  }),
  age: c('number', 'Age|Alter|Edad|Âge', '', { range: [1, 12, 1], total: 'average' }),
  vat: c(
    'number',
    'VAT (%)|MwSt. (%)|IVA (%)|TVA (%)',
    'vat|vat rate|mwst|mwst.|mehrwertsteuer|mehrwertsteuersatz|umsatzsteuer|ust|iva|tva|sales tax|tax rate|steuersatz|taux de tva|tipo de iva',
    { range: [20, 20, 1], total: 'none' },
  ),
  progress: c(
    'number',
    'Progress (%)|Fortschritt (%)|Progreso (%)|Avancement (%)',
    'progress|fortschritt|progreso|percent',
    { range: [10, 90, 5], total: 'average' },
  ),
  date: c('date', 'Date|Datum|Fecha|Date', 'day|tag|día|jour|when|bought|purchase date|kaufdatum'),
  due: c(
    'date',
    'Due|Fällig|Vence|Échéance',
    'due date|deadline|frist|fälligkeit|fecha límite|vencimiento|date limite|next date|renewal',
  ),
  next: c('date', 'Next time|Nächstes Mal|Próxima vez|Prochaine fois', 'next|next visit|next watering'),
  birthday: c('date', 'Birthday|Geburtstag|Cumpleaños|Anniversaire', 'date of birth'),
  start: c('date', 'Start|Beginn|Inicio|Début', 'start date|from|check-in'),
  end: c('date', 'End|Ende|Fin|Fin', 'end date|until|check-out|return date'),
  time: c('time', 'Time|Uhrzeit|Hora|Heure', 'at'),
  rating: c(
    'rating',
    'Rating|Bewertung|Valoración|Note',
    'stars|score out of 5|sterne|bewertungen|puntuación|évaluation',
  ),
  done: c(
    'checkbox',
    'Done|Erledigt|Hecho|Fait',
    'completed|complete|finished|fertig|erledigt|terminado|terminé|bought|packed',
  ),
  paid: c('checkbox', 'Paid|Bezahlt|Pagado|Payé', 'is paid'),
  present: c('checkbox', 'Present|Anwesend|Presente|Présent', 'attended|attendance|anwesenheit'),
  returned: c('checkbox', 'Returned|Zurückgegeben|Devuelto|Rendu', 'given back|brought back|zurück'),
  favourite: c('checkbox', 'Favourite|Favorit|Favorito|Favori', 'favorite'),
  watered: c('checkbox', 'Watered|Gegossen|Regada|Arrosée', ''),
  status: c('select', 'Status|Status|Estado|Statut', 'state|stage|phase', {
    options:
      'Open,In progress,Done|Offen,In Arbeit,Erledigt|Pendiente,En curso,Hecho|À faire,En cours,Terminé',
  }),
  priority: c('select', 'Priority|Priorität|Prioridad|Priorité', 'importance|severity|wichtigkeit', {
    options: 'High,Medium,Low|Hoch,Mittel,Niedrig|Alta,Media,Baja|Haute,Moyenne,Basse',
  }),
  category: c(
    'select',
    'Category|Kategorie|Categoría|Catégorie',
    'type|kind|typ|art|tipo|group|tag|tags|kategorien|catégories',
    {
      options:
        'Home,Work,Leisure,Other|Zuhause,Arbeit,Freizeit,Sonstiges|Casa,Trabajo,Ocio,Otros|Maison,Travail,Loisirs,Autre',
    },
  ),
  genre: c('select', 'Genre|Genre|Género|Genre', '', {
    options:
      'Fiction,Non-fiction,Crime,Science fiction,Drama|Roman,Sachbuch,Krimi,Science-Fiction,Drama|Ficción,Ensayo,Policíaca,Ciencia ficción,Drama|Roman,Essai,Policier,Science-fiction,Drame',
  }),
  subject: c('select', 'Subject|Fach|Asignatura|Matière', 'course|fach', {
    options:
      'Maths,English,Science,History|Mathe,Deutsch,Biologie,Geschichte|Matemáticas,Lengua,Ciencias,Historia|Maths,Français,Sciences,Histoire',
  }),
  mood: c('select', 'Mood|Stimmung|Ánimo|Humeur', 'feeling', {
    options: 'Great,Good,Okay,Low|Super,Gut,Okay,Mies|Genial,Bien,Regular,Mal|Super,Bien,Moyen,Bas',
  }),
  level: c('select', 'Level|Schwierigkeit|Dificultad|Difficulté', 'difficulty|schwierigkeitsgrad', {
    options: 'Easy,Medium,Hard|Leicht,Mittel,Schwer|Fácil,Media,Difícil|Facile,Moyen,Difficile',
  }),
  platform: c('select', 'Platform|Plattform|Plataforma|Plateforme', 'console|channel|kanal', {
    options:
      'PC,Switch,PlayStation,Xbox|PC,Switch,PlayStation,Xbox|PC,Switch,PlayStation,Xbox|PC,Switch,PlayStation,Xbox',
  }),
  light: c('select', 'Light|Licht|Luz|Lumière', 'sunlight', {
    options:
      'Full sun,Half shade,Shade|Sonne,Halbschatten,Schatten|Sol,Semisombra,Sombra|Soleil,Mi-ombre,Ombre',
  }),
  cycle: c('select', 'Billed|Abrechnung|Cobro|Facturation', 'billing cycle|interval', {
    options:
      'Monthly,Yearly,Weekly|Monatlich,Jährlich,Wöchentlich|Mensual,Anual,Semanal|Mensuel,Annuel,Hebdomadaire',
  }),
  ...logConcepts,
};

/** Options that go with a word in an entity's list of fields, as in `category:expense`. */
export const optionSets: Readonly<Record<string, string>> = {
  expense:
    'Groceries,Housing,Transport,Leisure,Health|Lebensmittel,Wohnen,Verkehr,Freizeit,Gesundheit|Comida,Vivienda,Transporte,Ocio,Salud|Courses,Logement,Transports,Loisirs,Santé',
  income:
    'Salary,Freelance,Sale,Other|Gehalt,Honorar,Verkauf,Sonstiges|Nómina,Freelance,Venta,Otros|Salaire,Honoraires,Vente,Autre',
  read: 'To read,Reading,Read|Möchte ich lesen,Lese ich,Gelesen|Por leer,Leyendo,Leído|À lire,En cours,Lu',
  film: 'Drama,Science fiction,Animation,Comedy|Drama,Science-Fiction,Animation,Komödie|Drama,Ciencia ficción,Animación,Comedia|Drame,Science-fiction,Animation,Comédie',
  watch: 'To watch,Watching,Watched|Merkliste,Schaue ich,Gesehen|Por ver,Viendo,Visto|À voir,En cours,Vu',
  play: 'Backlog,Playing,Finished|Merkliste,Spiele ich,Durchgespielt|Pendiente,Jugando,Terminado|À jouer,En cours,Terminé',
  meal: 'Breakfast,Lunch,Dinner,Snack|Frühstück,Mittagessen,Abendessen,Snack|Desayuno,Comida,Cena,Merienda|Petit-déjeuner,Déjeuner,Dîner,En-cas',
  course:
    'Starter,Main course,Dessert,Baking|Vorspeise,Hauptgericht,Nachtisch,Gebäck|Entrante,Principal,Postre,Horno|Entrée,Plat,Dessert,Pâtisserie',
  workout:
    'Strength,Cardio,Yoga,Mobility|Kraft,Ausdauer,Yoga,Beweglichkeit|Fuerza,Cardio,Yoga,Movilidad|Force,Cardio,Yoga,Mobilité',
  job: 'Saved,Applied,Interview,Offer,Rejected|Gemerkt,Beworben,Gespräch,Angebot,Absage|Guardada,Enviada,Entrevista,Oferta,Rechazada|Repérée,Envoyée,Entretien,Offre,Refus',
  lead: 'New,Contacted,Proposal,Won,Lost|Neu,Kontaktiert,Angebot,Gewonnen,Verloren|Nuevo,Contactado,Propuesta,Ganado,Perdido|Nouveau,Contacté,Proposition,Gagné,Perdu',
  invoice:
    'Draft,Sent,Paid,Overdue|Entwurf,Gesendet,Bezahlt,Überfällig|Borrador,Enviada,Pagada,Vencida|Brouillon,Envoyée,Payée,En retard',
  order:
    'New,Packed,Shipped,Delivered|Neu,Gepackt,Versendet,Zugestellt|Nuevo,Preparado,Enviado,Entregado|Nouvelle,Préparée,Expédiée,Livrée',
  aisle:
    'Fruit & veg,Dairy,Bakery,Pantry,Household|Obst & Gemüse,Kühlregal,Backwaren,Vorrat,Haushalt|Fruta y verdura,Lácteos,Panadería,Despensa,Hogar|Fruits & légumes,Crèmerie,Boulangerie,Épicerie,Maison',
  pack: 'Clothes,Toiletries,Electronics,Documents|Kleidung,Waschtasche,Technik,Papiere|Ropa,Aseo,Electrónica,Documentos|Vêtements,Toilette,Électronique,Papiers',
  pet: 'Dog,Cat,Bird,Rabbit|Hund,Katze,Vogel,Kaninchen|Perro,Gato,Ave,Conejo|Chien,Chat,Oiseau,Lapin',
  bug: 'Open,In progress,Fixed,Closed|Offen,In Arbeit,Behoben,Geschlossen|Abierto,En curso,Resuelto,Cerrado|Ouvert,En cours,Corrigé,Fermé',
  idea: 'New,Promising,Parked|Neu,Vielversprechend,Geparkt|Nueva,Prometedora,Aparcada|Nouvelle,Prometteuse,En attente',
  channel:
    'Blog,Newsletter,Instagram,Video|Blog,Newsletter,Instagram,Video|Blog,Boletín,Instagram,Vídeo|Blog,Newsletter,Instagram,Vidéo',
  content:
    'Idea,Draft,Scheduled,Published|Idee,Entwurf,Geplant,Veröffentlicht|Idea,Borrador,Programado,Publicado|Idée,Brouillon,Planifié,Publié',
  travel: 'Dream,Planned,Visited|Traum,Geplant,Besucht|Sueño,Planeado,Visitado|Rêve,Prévu,Visité',
  cuisine:
    'Italian,Asian,Café,Grill|Italienisch,Asiatisch,Café,Grill|Italiana,Asiática,Café,Parrilla|Italien,Asiatique,Café,Grill',
  stock:
    'Office,Electronics,Kitchen,Tools|Büro,Elektronik,Küche,Werkzeug|Oficina,Electrónica,Cocina,Herramientas|Bureau,Électronique,Cuisine,Outils',
  service:
    'Oil change,Tyres,Inspection,Repair|Ölwechsel,Reifen,Inspektion,Reparatur|Aceite,Neumáticos,Revisión,Reparación|Vidange,Pneus,Révision,Réparation',
  wine: 'Red,White,Rosé,Sparkling|Rot,Weiß,Rosé,Schaumwein|Tinto,Blanco,Rosado,Espumoso|Rouge,Blanc,Rosé,Pétillant',
  team: 'Sales,Design,Engineering,Support|Vertrieb,Design,Entwicklung,Support|Ventas,Diseño,Desarrollo,Soporte|Ventes,Design,Développement,Support',
  feed: 'Bottle,Breast,Solid food|Flasche,Stillen,Brei|Biberón,Pecho,Sólidos|Biberon,Sein,Solide',
};
