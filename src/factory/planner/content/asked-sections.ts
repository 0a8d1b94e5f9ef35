import type { Section } from '../../spec.ts';
import type { StatedList } from '../stated.ts';

/** A section that a prompt may ask for; texts are English | German | Spanish | French, items by `;`, parts by `~`. */
export interface AskedSection {
  readonly id: string;
  readonly words: string;
  readonly type: Section['type'];
  readonly title: string;
  /** Title, text and note of what stands there until it is filled in: plainly marked as examples. */
  readonly items: string;
  readonly text?: string;
  /** What the prompt lists under it takes the place of the examples. */
  readonly stated?: StatedList;
}

export const askedSections: readonly AskedSection[] = [
  {
    id: 'tour',
    words:
      'tour ?-?dates?|gigs?|upcoming (?:shows|concerts)|concert dates|shows|tourdaten|tourdates|tourterminen?|konzertterminen?|konzerten?|auftritten?|(?:alle|unsere|nächste|kommende)n? terminen?|fechas de (?:la )?gira|fechas de conciertos|conciertos|próximos conciertos|dates de (?:la )?tournée|dates de concerts?|concerts',
    type: 'prices',
    title: 'Tour dates|Termine|Fechas|Dates',
    items:
      'First concert~Venue and town: replace this example~Date;Second concert~Venue and town: replace this example~Date;Third concert~Venue and town: replace this example~Date|Erstes Konzert~Haus und Ort: Beispiel, bitte ersetzen~Datum;Zweites Konzert~Haus und Ort: Beispiel, bitte ersetzen~Datum;Drittes Konzert~Haus und Ort: Beispiel, bitte ersetzen~Datum|Primer concierto~Sala y ciudad: ejemplo, cámbialo~Fecha;Segundo concierto~Sala y ciudad: ejemplo, cámbialo~Fecha;Tercer concierto~Sala y ciudad: ejemplo, cámbialo~Fecha|Premier concert~Salle et ville : exemple à remplacer~Date;Deuxième concert~Salle et ville : exemple à remplacer~Date;Troisième concert~Salle et ville : exemple à remplacer~Date',
    stated: 'tour',
  },
  {
    id: 'music',
    words:
      'music player|songs?|albums?|discography|videos?|listen|lieder|alben|canciones|discos|álbumes|chansons|vidéos?',
    type: 'items',
    title: 'Music|Musik|Música|Musique',
    items:
      'First album~Title, year and a link: replace this example;Latest song~Say what it is about (example)|Erstes Album~Titel, Jahr und ein Link: Beispiel;Neuestes Lied~Worum es geht (Beispiel)|Primer disco~Título, año y enlace: ejemplo;Última canción~De qué trata (ejemplo)|Premier album~Titre, année et lien : exemple;Dernière chanson~De quoi elle parle (exemple)',
    stated: 'albums',
  },
  {
    id: 'features',
    words: 'features?|funktionen|vorteile|características|ventajas|fonctionnalités|avantages|benefits',
    type: 'items',
    title: 'Features|Funktionen|Características|Fonctionnalités',
    items:
      'First feature~What it does, in one line (example);Second feature~Whom it helps (example);Third feature~What it saves (example)|Erste Funktion~Was sie tut, in einer Zeile (Beispiel);Zweite Funktion~Wem sie hilft (Beispiel);Dritte Funktion~Was sie spart (Beispiel)|Primera función~Qué hace, en una línea (ejemplo);Segunda función~A quién ayuda (ejemplo);Tercera función~Qué ahorra (ejemplo)|Première fonction~Ce qu’elle fait, en une ligne (exemple);Deuxième fonction~Qui elle aide (exemple);Troisième fonction~Ce qu’elle épargne (exemple)',
    stated: 'features',
  },
  {
    id: 'steps',
    words: 'how it works|wie es funktioniert|so funktioniert|cómo funciona|comment ça marche',
    type: 'steps',
    title: 'How it works|So funktioniert es|Cómo funciona|Comment ça marche',
    items:
      'Ask~Tell us what you need;Agree~We say how, when and at what price;Done~You have what you asked for|Anfragen~Sag uns, was du brauchst;Absprechen~Wir sagen wie, wann und zu welchem Preis;Fertig~Du hast, was du wolltest|Pregunta~Dinos qué necesitas;Acuerdo~Te decimos cómo, cuándo y a qué precio;Listo~Tienes lo que pediste|Demander~Dites-nous ce qu’il vous faut;Convenir~Nous disons comment, quand et à quel prix;C’est fait~Vous avez ce que vous vouliez',
  },
  {
    id: 'gallery',
    words:
      'galler(?:y|ies)|photos?|pictures|images|galerie|bildergalerie|fotos|bildern?|fotogalerie|galería|imágenes|photographies',
    type: 'items',
    title: 'Gallery|Galerie|Galería|Galerie',
    items:
      'First picture~Replace this example with a picture of yours;Second picture~What it shows (example);Third picture~What it shows (example)|Erstes Bild~Beispiel: durch ein eigenes Bild ersetzen;Zweites Bild~Was es zeigt (Beispiel);Drittes Bild~Was es zeigt (Beispiel)|Primera imagen~Ejemplo: cámbiala por una tuya;Segunda imagen~Qué muestra (ejemplo);Tercera imagen~Qué muestra (ejemplo)|Première image~Exemple : à remplacer par la vôtre;Deuxième image~Ce qu’elle montre (exemple);Troisième image~Ce qu’elle montre (exemple)',
  },
  {
    id: 'team',
    words:
      'team(?: page| section| members)?|meet the \\p{L}+|our staff|band ?members|das team|unser(?:em)? team|(?:band)?mitgliedern?|besetzung|equipo|integrantes|équipe|membres|line-?up',
    type: 'items',
    title: 'Team|Team|Equipo|Équipe',
    items:
      'Name~What this person does (example);Name~What this person does (example);Name~What this person does (example)|Name~Was diese Person macht (Beispiel);Name~Was diese Person macht (Beispiel);Name~Was diese Person macht (Beispiel)|Nombre~Qué hace esta persona (ejemplo);Nombre~Qué hace esta persona (ejemplo);Nombre~Qué hace esta persona (ejemplo)|Nom~Ce que fait cette personne (exemple);Nom~Ce que fait cette personne (exemple);Nom~Ce que fait cette personne (exemple)',
    stated: 'team',
  },
  {
    id: 'quotes',
    words:
      'testimonials?|customer reviews?|reviews?|quotes from (?:customers|clients)|kundenstimmen|bewertungen|referenzen|stimmen|testimonios?|opiniones|reseñas|témoignages?|avis(?: clients)?',
    type: 'quotes',
    title: 'What customers say|Kundenstimmen|Opiniones|Témoignages',
    items:
      'Name of a customer (example)~Put here, in their own words, what a customer liked.;Name of a customer (example)~A second voice: ask somebody whom you helped.|Name (Beispiel)~Hier steht in eigenen Worten, was jemandem gefallen hat.;Name (Beispiel)~Eine zweite Stimme: frag jemanden, dem du geholfen hast.|Nombre (ejemplo)~Pon aquí, con sus palabras, lo que le gustó a alguien.;Nombre (ejemplo)~Otra voz: pregunta a quien hayas ayudado.|Nom (exemple)~Mettez ici, avec ses mots, ce qu’un client a aimé.;Nom (exemple)~Une autre voix : demandez à quelqu’un que vous avez aidé.',
  },
  {
    id: 'news',
    words: 'blog|news|latest news|neuigkeiten|aktuelles|noticias|novedades|actualités|nouvelles',
    type: 'items',
    title: 'News|Aktuelles|Novedades|Actualités',
    items:
      'First post~Say what is new, and since when (example);Second post~A short story from your work (example)|Erster Beitrag~Was ist neu und seit wann (Beispiel);Zweiter Beitrag~Eine kleine Geschichte aus der Arbeit (Beispiel)|Primera entrada~Di qué hay de nuevo (ejemplo);Segunda entrada~Una pequeña historia de tu trabajo (ejemplo)|Premier article~Dites ce qui est nouveau (exemple);Deuxième article~Une petite histoire de votre travail (exemple)',
  },
  {
    id: 'events',
    words: 'events|upcoming events|event calendar|veranstaltungen|eventos|agenda|événements',
    type: 'items',
    title: 'Events|Veranstaltungen|Eventos|Événements',
    items:
      'First event~Day, time and what happens (example);Second event~Day, time and what happens (example)|Erste Veranstaltung~Tag, Zeit und was passiert (Beispiel);Zweite Veranstaltung~Tag, Zeit und was passiert (Beispiel)|Primer evento~Día, hora y qué pasa (ejemplo);Segundo evento~Día, hora y qué pasa (ejemplo)|Premier événement~Jour, heure et contenu (exemple);Deuxième événement~Jour, heure et contenu (exemple)',
  },
  {
    id: 'faq',
    words:
      'faqs?|frequently asked questions|häufige fragen|preguntas frecuentes|questions fréquentes|foire aux questions',
    type: 'faq',
    title: 'Questions and answers|Fragen und Antworten|Preguntas y respuestas|Questions et réponses',
    items:
      'How do I reach you?~Use the form below and we answer as soon as we can.;What does it cost?~Write your prices here, or how you make an offer (example).;How long does it take?~Say here how much time one should plan for (example).|Wie erreiche ich euch?~Über das Formular unten, wir antworten, sobald wir können.;Was kostet es?~Schreib hier deine Preise oder wie ein Angebot entsteht (Beispiel).;Wie lange dauert es?~Sag hier, wie viel Zeit man einplanen sollte (Beispiel).|¿Cómo os contacto?~Con el formulario de abajo, respondemos en cuanto podamos.;¿Cuánto cuesta?~Escribe aquí tus precios (ejemplo).;¿Cuánto tarda?~Di aquí cuánto tiempo hay que contar (ejemplo).|Comment vous joindre ?~Par le formulaire ci-dessous, nous répondons dès que possible.;Combien cela coûte-t-il ?~Écrivez ici vos prix (exemple).;Combien de temps faut-il ?~Dites ici combien de temps prévoir (exemple).',
    stated: 'questions',
  },
  {
    id: 'map',
    words:
      "map|directions|how to find us|anfahrt|wegbeschreibung|lageplan|karte mit standort|mapa|cómo llegar|plan d[’']accès|itinéraire|localisation",
    type: 'text',
    title: 'How to find us|Anfahrt|Cómo llegar|Nous trouver',
    items: '',
    text: 'Write here which train or bus to take and where to park.|Schreib hier, welche Bahn oder welcher Bus hält und wo man parkt.|Escribe aquí qué tren o autobús llega y dónde aparcar.|Écrivez ici quel train ou bus prendre et où se garer.',
  },
  {
    id: 'booking',
    words:
      'bookings?|appointments?|reservations?|book a table|online booking|termin(?:e|buchung|vereinbarung)|reservierung|tischreservierung|reservas?|citas?|pedir cita|réservations?|rendez-vous',
    type: 'text',
    title: 'Bookings|Termine|Reservas|Réservations',
    items: '',
    text: 'Tell us your day and time in the form below; we confirm it.|Nenn uns Tag und Uhrzeit im Formular unten; wir bestätigen.|Dinos el día y la hora en el formulario de abajo; te confirmamos.|Indiquez le jour et l’heure dans le formulaire ci-dessous ; nous confirmons.',
  },
  {
    id: 'newsletter',
    words:
      "newsletter|mailing list|email sign-?up|boletín|lettre d[’']information|infolettre|waitlist|warteliste|lista de espera|liste d[’']attente",
    type: 'text',
    title: 'Newsletter|Newsletter|Boletín|Newsletter',
    items: '',
    text: 'Leave your email in the form below and write “Newsletter”: that is how to sign up.|Hinterlasse deine E-Mail im Formular unten und schreib „Newsletter“: So meldest du dich an.|Deja tu correo en el formulario de abajo y escribe «Newsletter» para apuntarte.|Laissez votre e-mail dans le formulaire ci-dessous avec « Newsletter » pour vous inscrire.',
  },
  {
    id: 'donate',
    words: 'donat(?:e|ions?)|spende\\p{L}*|donar|donaciones|donativos|faire un don|dons',
    type: 'text',
    title: 'Donate|Spenden|Donar|Faire un don',
    items: '',
    text: 'Write here how to give and what it is used for.|Schreib hier, wie man spendet und wofür.|Escribe aquí cómo donar y para qué se usa.|Écrivez ici comment donner et à quoi cela sert.',
  },
];
