/** Cards to begin with: words of the subject, and its cards in English | German | Spanish | French. */
export const cardSubjects: readonly (readonly [string, string])[] = [
  [
    'wedding\\p{L}*|hochzeit\\p{L}*|bodas?|mariages?|big day',
    'Book the venue;Send the invitations;Taste the cake;Choose the music;Seating plan|Location buchen;Einladungen verschicken;Torte probieren;Musik aussuchen;Sitzplan machen|Reservar el lugar;Enviar las invitaciones;Probar la tarta;Elegir la música;Plano de mesas|Réserver la salle;Envoyer les invitations;Goûter le gâteau;Choisir la musique;Plan de table',
  ],
  [
    'content (?:calendar|team|plan\\p{L}*|pipeline)|editorial\\p{L}*|redaktion\\p{L}*|blog\\p{L}*|newsletter|podcasts?|youtube|social ?media|calendario de contenidos?|contenidos?|calendrier éditorial|contenus?',
    'Interview with a customer;Five tips for beginners;Behind the scenes;Newsletter for the month;Update the oldest post|Interview mit einer Kundin;Fünf Tipps für den Anfang;Blick hinter die Kulissen;Newsletter des Monats;Ältesten Beitrag überarbeiten|Entrevista con una clienta;Cinco consejos para empezar;Detrás de las cámaras;Boletín del mes;Actualizar la entrada más antigua|Entretien avec une cliente;Cinq conseils pour débuter;Dans les coulisses;Lettre du mois;Revoir le plus vieil article',
  ],
  [
    'roadmap|product (?:team|manage\\p{L}*|plan\\p{L}*)|produkt\\p{L}*|hoja de ruta|producto|feuille de route|produit',
    'Simpler sign-up;Dark mode;Export as PDF;Talk to ten users;Faster search|Einfachere Anmeldung;Dunkles Design;Export als PDF;Mit zehn Leuten sprechen;Schnellere Suche|Registro más sencillo;Modo oscuro;Exportar a PDF;Hablar con diez usuarios;Búsqueda más rápida|Inscription plus simple;Mode sombre;Export en PDF;Parler à dix personnes;Recherche plus rapide',
  ],
  [
    'software|dev(?:eloper|elopment)?s?|engineering|sprints?|scrum|agile|bugs?|coding|programm\\p{L}*|entwickl\\p{L}*|softwareentwicklung|desarrollo|programación|développement|développeurs?|logiciel',
    'Fix the login on phones;Write tests for the import;Upgrade the database;Review the new form;Release notes|Anmeldung am Handy reparieren;Tests für den Import schreiben;Datenbank aktualisieren;Neues Formular prüfen;Versionshinweise|Arreglar el acceso en móviles;Pruebas de la importación;Actualizar la base de datos;Revisar el formulario nuevo;Notas de la versión|Réparer la connexion sur mobile;Tests de l’import;Mettre à jour la base;Relire le nouveau formulaire;Notes de version',
  ],
  [
    'marketing|campaigns?|kampagnen?|werbung|campañas?|campagnes?|brand\\p{L}*|seo',
    'Plan the spring campaign;Write the newsletter;Photos for the shop window;Numbers of last month;Meet the printer|Frühjahrskampagne planen;Newsletter schreiben;Fotos fürs Schaufenster;Zahlen des letzten Monats;Druckerei treffen|Planear la campaña de primavera;Escribir el boletín;Fotos para el escaparate;Cifras del mes pasado;Reunión con la imprenta|Préparer la campagne de printemps;Écrire la lettre d’information;Photos pour la vitrine;Chiffres du mois dernier;Voir l’imprimeur',
  ],
  [
    'moving|move house|new (?:flat|apartment)|relocation|umzug\\p{L}*|umziehen|mudanzas?|mudarse|déménag\\p{L}*',
    'Pack the kitchen;Order boxes;Read the meters;Change the address;Book the van|Küche einpacken;Kartons bestellen;Zähler ablesen;Adresse ändern;Transporter mieten|Empacar la cocina;Pedir cajas;Leer los contadores;Cambiar la dirección;Reservar la furgoneta|Emballer la cuisine;Commander des cartons;Relever les compteurs;Changer d’adresse;Réserver la camionnette',
  ],
  [
    'hiring|recruit\\p{L}*|candidates?|applicants?|hr|bewerb\\p{L}*|personal(?:suche|abteilung)|recruiting|contratación|selección|candidat[oa]s?|recrutement|candidat\\p{L}*',
    'Lena Vogt, designer;Omar Haddad, developer;Inés Prado, sales;Jonas Weber, support;Mia Chen, office|Lena Vogt, Design;Omar Haddad, Entwicklung;Inés Prado, Vertrieb;Jonas Weber, Support;Mia Chen, Büro|Lena Vogt, diseño;Omar Haddad, desarrollo;Inés Prado, ventas;Jonas Weber, soporte;Mia Chen, oficina|Lena Vogt, design;Omar Haddad, développement;Inés Prado, ventes;Jonas Weber, support;Mia Chen, bureau',
  ],
  [
    'renovat\\p{L}*|home improvement|remodel\\p{L}*|diy|renovier\\p{L}*|sanierung|umbau\\p{L}*|hausbau|reformas?|obras?|rénov\\p{L}*|travaux|bricolage',
    'Paint the hallway;Compare three quotes;Choose the tiles;Order the sink;Sand the floor|Flur streichen;Drei Angebote vergleichen;Fliesen aussuchen;Waschbecken bestellen;Boden abschleifen|Pintar el pasillo;Comparar tres presupuestos;Elegir los azulejos;Pedir el lavabo;Lijar el suelo|Peindre le couloir;Comparer trois devis;Choisir le carrelage;Commander le lavabo;Poncer le sol',
  ],
  [
    'sales|deals?|leads?|pipeline|vertrieb\\p{L}*|verkauf\\p{L}*|akquise|ventas|comercial|ventes|prospection',
    'Haddad & Sons;Studio Nord;Prado Bikes;Town library;Café Linde|Haddad & Söhne;Studio Nord;Prado Räder;Stadtbücherei;Café Linde|Hermanos Haddad;Estudio Norte;Bicis Prado;Biblioteca;Café Tilo|Haddad & Fils;Studio Nord;Vélos Prado;Bibliothèque;Café Tilleul',
  ],
  [
    'school\\p{L}*|class(?:room)?|homework|students?|study|studies|exams?|university|thesis|schul\\p{L}*|klasse\\p{L}*|studium|uni|prüfung\\p{L}*|lern\\p{L}*|abschlussarbeit|escuela|clase|estudi\\p{L}*|exámenes|universidad|école|classe|études|examens?|cours',
    'Essay on rivers;Fractions, page 42;Prepare the talk;Read chapter three;Group project|Aufsatz über Flüsse;Bruchrechnen, Seite 42;Referat vorbereiten;Kapitel drei lesen;Gruppenarbeit|Redacción sobre ríos;Fracciones, página 42;Preparar la exposición;Leer el capítulo tres;Trabajo en grupo|Rédaction sur les fleuves;Fractions, page 42;Préparer l’exposé;Lire le chapitre trois;Travail de groupe',
  ],
  [
    'travel\\p{L}*|trips?|vacations?|holidays?|reise\\p{L}*|urlaub\\p{L}*|viajes?|vacaciones|voyages?|vacances',
    'Book the train;Find a place to stay;Renew the passport;Pack the bags;Reserve the museum|Zug buchen;Unterkunft finden;Pass verlängern;Koffer packen;Museum reservieren|Reservar el tren;Buscar alojamiento;Renovar el pasaporte;Hacer la maleta;Entradas del museo|Réserver le train;Trouver un logement;Renouveler le passeport;Faire les valises;Billets du musée',
  ],
  [
    'events?|conference|festival|party|meetup|concert|fair|fundraiser|veranstaltung\\p{L}*|konferenz|fest|\\p{L}+fest|feier|messe|eventos?|congreso|fiesta|feria|événements?|conférence|fête|salon',
    'Book the hall;Invite the speakers;Order the food;Print the programme;Find helpers|Saal buchen;Vortragende einladen;Essen bestellen;Programm drucken;Helfer finden|Reservar la sala;Invitar a los ponentes;Encargar la comida;Imprimir el programa;Buscar voluntarios|Réserver la salle;Inviter les intervenants;Commander le repas;Imprimer le programme;Trouver des bénévoles',
  ],
  [
    'chores?|household|famil\\p{L}*|flat|roommates?|haushalt\\p{L}*|putz\\p{L}*|wg|hogar|casa|ménage|maison|famille|coloc\\p{L}*',
    'Take out the rubbish;Clean the bathroom;Water the plants;Buy milk;Fix the tap|Müll rausbringen;Bad putzen;Blumen gießen;Milch kaufen;Wasserhahn reparieren|Sacar la basura;Limpiar el baño;Regar las plantas;Comprar leche;Arreglar el grifo|Sortir les poubelles;Nettoyer la salle de bain;Arroser les plantes;Acheter du lait;Réparer le robinet',
  ],
];

/** Cards for a board about nothing in particular. */
export const neutralCards =
  'Collect ideas;Agree on the next step;Prepare a draft;Ask for feedback;Share the result|Ideen sammeln;Nächsten Schritt abstimmen;Entwurf vorbereiten;Rückmeldung einholen;Ergebnis teilen|Reunir ideas;Acordar el siguiente paso;Preparar un borrador;Pedir opiniones;Compartir el resultado|Réunir les idées;Convenir de la suite;Préparer un brouillon;Demander des avis;Partager le résultat';

/** The cards of the subject that a prompt mentions first, as lexicon seeds; null when it is none that we know. */
export function cardsOf(prompt: string, find: (source: string) => RegExp): string | null {
  const [first] = cardSubjects
    .map(([source, cards]) => ({ cards, at: find(source).exec(prompt)?.index ?? -1 }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  return first?.cards ?? null;
}
