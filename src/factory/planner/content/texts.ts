/** Texts that fill pages, notes and lists to begin with: English | German | Spanish | French; items by `;`, parts by `~`. */
export const pageTexts = {
  programme: 'Programme|Programm|Programa|Programme',
  about: 'About us|Über uns|Quiénes somos|À propos',
  why: 'Why people choose us|Was uns ausmacht|Por qué nosotros|Pourquoi nous choisir',
  action: 'Get in touch|Kontakt aufnehmen|Contactar|Nous contacter',
  visit: 'Plan your visit|Besuch planen|Planifica tu visita|Préparer votre visite',
  works: 'Selected work|Ausgewählte Arbeiten|Trabajos|Travaux choisis',
  workItems:
    'Quiet Mornings~A series about the first hour of the day.~Series;Harbour Lights~Made over one winter by the water.~Commission;Field Notes~Sketches and studies from the road.~Series;Open House~Work for a neighbourhood festival.~Commission|Stille Morgen~Eine Serie über die erste Stunde des Tages.~Serie;Hafenlichter~Entstanden in einem Winter am Wasser.~Auftrag;Feldnotizen~Skizzen und Studien von unterwegs.~Serie;Offenes Haus~Arbeit für ein Stadtteilfest.~Auftrag|Mañanas tranquilas~Una serie sobre la primera hora del día.~Serie;Luces del puerto~Hecho en un invierno junto al agua.~Encargo;Notas de campo~Bocetos y estudios del camino.~Serie;Casa abierta~Trabajo para una fiesta de barrio.~Encargo|Matins calmes~Une série sur la première heure du jour.~Série;Lumières du port~Réalisé en un hiver au bord de l’eau.~Commande;Notes de terrain~Croquis et études de voyage.~Série;Maison ouverte~Pour une fête de quartier.~Commande',
  path: 'Path|Werdegang|Trayectoria|Parcours',
  pathItems:
    'Independent~Projects for clients near and far~since 2021;Studio Nord~Team lead, then partner~2017 – 2021;Degree~With a year abroad~2013 – 2017|Selbstständig~Projekte für Kunden nah und fern~seit 2021;Studio Nord~Teamleitung, dann Partner~2017 – 2021;Studium~Mit einem Jahr im Ausland~2013 – 2017|Por cuenta propia~Proyectos para clientes de aquí y de allá~desde 2021;Estudio Norte~Coordinación y después socio~2017 – 2021;Estudios~Con un año fuera~2013 – 2017|À mon compte~Des projets ici et ailleurs~depuis 2021;Studio Nord~Chef d’équipe, puis associé~2017 – 2021;Études~Dont un an à l’étranger~2013 – 2017',
  skills: 'Skills|Fähigkeiten|Habilidades|Compétences',
  skillItems:
    'Concept;Research;Craft;Presentation;Teamwork;Planning|Konzept;Recherche;Handwerk;Präsentation;Teamarbeit;Planung|Concepto;Investigación;Oficio;Presentación;Equipo;Planificación|Concept;Recherche;Savoir-faire;Présentation;Travail d’équipe;Organisation',
  portfolioLine:
    'Work that is clear, calm and made to last.|Arbeiten, die klar, ruhig und haltbar sind.|Trabajos claros, serenos y hechos para durar.|Des travaux clairs, calmes et faits pour durer.',
  docs: 'Getting started~What is {name}?=A short answer: what it is for, whom it helps and what it costs.~How do I begin?=Open it, look around for a minute, then try one thing that you need today.~What do I need?=Nothing but a browser. It works on a phone as well.;Everyday use~How do I change something?=Open the entry, press Edit, save. Undo takes the last change back.~Can I work with others?=Share the file, or send an export.~How do I search?=Type into the box at the top. Matches are marked.;When something is wrong~Where did my data go?=It is kept in the browser in which it was entered. Another browser does not see it.~Whom can I ask?=Write to us. We answer on working days.|Erste Schritte~Was ist {name}?=Kurz gesagt: wozu es dient, wem es hilft und was es kostet.~Wie fange ich an?=Öffnen, kurz umsehen, dann eine Sache ausprobieren, die du heute brauchst.~Was brauche ich?=Nur einen Browser. Auch das Telefon genügt.;Im Alltag~Wie ändere ich etwas?=Eintrag öffnen, Bearbeiten drücken, speichern. Rückgängig nimmt die letzte Änderung zurück.~Kann ich mit anderen arbeiten?=Teile die Datei oder schicke einen Export.~Wie suche ich?=Oben ins Feld tippen. Treffer werden markiert.;Wenn etwas nicht stimmt~Wo sind meine Daten?=Sie liegen in dem Browser, in dem sie eingegeben wurden. Ein anderer sieht sie nicht.~Wen kann ich fragen?=Schreib uns. Wir antworten an Werktagen.|Primeros pasos~¿Qué es {name}?=En pocas palabras: para qué sirve, a quién ayuda y cuánto cuesta.~¿Cómo empiezo?=Ábrelo, mira un minuto y prueba lo que necesitas hoy.~¿Qué necesito?=Solo un navegador. También funciona en el móvil.;Uso diario~¿Cómo cambio algo?=Abre la entrada, pulsa Editar y guarda. Deshacer recupera lo anterior.~¿Puedo trabajar con otros?=Comparte el archivo o envía una exportación.~¿Cómo busco?=Escribe en la caja de arriba. Se marcan los resultados.;Si algo falla~¿Dónde están mis datos?=En el navegador en el que los escribiste. Otro no los ve.~¿A quién pregunto?=Escríbenos. Respondemos en días laborables.|Premiers pas~Qu’est-ce que {name} ?=En bref : à quoi cela sert, à qui, et à quel prix.~Comment commencer ?=Ouvrez, regardez une minute, essayez ce dont vous avez besoin aujourd’hui.~De quoi ai-je besoin ?=D’un navigateur, c’est tout. Un téléphone suffit.;Au quotidien~Comment modifier ?=Ouvrez l’entrée, cliquez sur Modifier, enregistrez. Annuler revient en arrière.~Travailler à plusieurs ?=Partagez le fichier ou envoyez un export.~Comment chercher ?=Tapez en haut. Les résultats sont surlignés.;En cas de souci~Où sont mes données ?=Dans le navigateur où elles ont été saisies. Un autre ne les voit pas.~À qui demander ?=Écrivez-nous. Nous répondons les jours ouvrés.',
  docsLine:
    'Answers, in plain words.|Antworten in klaren Worten.|Respuestas en palabras claras.|Des réponses en mots simples.',
  habitItems:
    'Drink water;Move for 20 minutes;Read ten pages;Go to bed on time|Wasser trinken;20 Minuten bewegen;Zehn Seiten lesen;Rechtzeitig ins Bett|Beber agua;Moverme 20 minutos;Leer diez páginas;Acostarme a tiempo|Boire de l’eau;Bouger 20 minutes;Lire dix pages;Me coucher à l’heure',
  noteItems:
    'Welcome~Write here what you want to keep. Notes save themselves.\n\nWords with a # become tags: #idea #today;Weekend~Market on Saturday, then the lake if it stays dry. #today;Book for the train~Ask Lena which one it was. #idea|Willkommen~Schreibe hier auf, was bleiben soll. Notizen speichern sich selbst.\n\nWörter mit # werden zu Schlagwörtern: #idee #heute;Wochenende~Samstag Markt, danach der See, wenn es trocken bleibt. #heute;Buch für den Zug~Lena fragen, welches es war. #idee|Te damos la bienvenida~Escribe aquí lo que quieras guardar. Las notas se guardan solas.\n\nLas palabras con # son etiquetas: #idea #hoy;Fin de semana~El sábado al mercado y luego al lago si no llueve. #hoy;Libro para el tren~Preguntar a Lena cuál era. #idea|Bienvenue~Écrivez ici ce que vous voulez garder. Les notes s’enregistrent seules.\n\nLes mots avec # deviennent des étiquettes : #idée #aujourdhui;Week-end~Marché samedi, puis le lac s’il fait sec. #aujourdhui;Livre pour le train~Demander à Léna lequel c’était. #idée',
  journalItems:
    'A slow morning~Coffee on the balcony, no phone. Three good things: the light, the call with Ana, the soup. #gratitude;Finished it~The long report is done. Tomorrow only small things. #work|Ein langsamer Morgen~Kaffee auf dem Balkon, ohne Telefon. Drei gute Dinge: das Licht, das Gespräch mit Ana, die Suppe. #dankbar;Fertig~Der lange Bericht ist geschafft. Morgen nur Kleines. #arbeit|Una mañana lenta~Café en el balcón, sin móvil. Tres cosas buenas: la luz, la llamada con Ana, la sopa. #gratitud;Terminado~El informe largo está listo. Mañana, solo cosas pequeñas. #trabajo|Un matin lent~Café au balcon, sans téléphone. Trois belles choses : la lumière, l’appel d’Ana, la soupe. #gratitude;Fini~Le long rapport est terminé. Demain, des petites choses. #travail',
  quoteLines:
    'Material;Working hour;Travel|Material;Arbeitsstunde;Anfahrt|Material;Hora de trabajo;Desplazamiento|Matériel;Heure de travail;Déplacement',
  columns:
    'To do,In progress,Done|Zu tun,In Arbeit,Erledigt|Por hacer,En curso,Hecho|À faire,En cours,Terminé',
} as const;

/** An evening of a club or a group. */
export const evening = {
  accent: '#34558b',
  look: 'soft',
  tagline: 'We look forward to seeing you.|Wir freuen uns auf euch.|Os esperamos.|Au plaisir de vous voir.',
  items:
    'Doors open~Find a seat and say hello~19:00;We begin~New faces are welcome~19:30;Time to talk~Stay as long as you like~21:00|Einlass~Platz finden und Hallo sagen~19:00;Wir fangen an~Neue sind willkommen~19:30;Zeit zum Reden~Bleibt, so lange ihr mögt~21:00|Apertura~Siéntate y saluda~19:00;Empezamos~Caras nuevas, bienvenidas~19:30;Tiempo para hablar~Quédate cuanto quieras~21:00|Ouverture~Prenez place et dites bonjour~19:00;On commence~Les nouveaux sont les bienvenus~19:30;Temps d’échange~Restez autant que vous voulez~21:00',
} as const;

/** Kinds of events: words, days ahead, time, tagline, programme (title~text~time). */
export const events = [
  {
    words: 'wedding|hochzeit\\p{L}*|boda|mariage',
    accent: '#b0607a',
    look: 'editorial',
    tagline:
      'We are getting married, and want you there.|Wir heiraten und wünschen uns, dass ihr dabei seid.|Nos casamos y queremos que estéis.|Nous nous marions, et nous vous voulons avec nous.',
    items:
      'Ceremony~Please be there a quarter of an hour early~14:00;Coffee and cake~In the garden, inside if it rains~15:30;Dinner~Tell us what you do not eat~18:30;Dancing~Until the lights go out~21:00|Trauung~Kommt bitte eine Viertelstunde früher~14:00;Kaffee und Kuchen~Im Garten, bei Regen drinnen~15:30;Abendessen~Sagt uns, was ihr nicht esst~18:30;Tanz~Bis die Lichter ausgehen~21:00|Ceremonia~Venid un cuarto de hora antes~14:00;Café y tarta~En el jardín, dentro si llueve~15:30;Cena~Decidnos qué no coméis~18:30;Baile~Hasta que se apaguen las luces~21:00|Cérémonie~Venez un quart d’heure avant~14:00;Café et gâteau~Au jardin, à l’abri s’il pleut~15:30;Dîner~Dites-nous ce que vous ne mangez pas~18:30;Bal~Jusqu’à l’extinction des feux~21:00',
  },
  {
    words:
      'conference|konferenz|congreso|conferencia|meetup|hackathon|symposium|summit|workshop|barcamp|conférence',
    accent: '#2f5bd0',
    look: 'crisp',
    tagline:
      'One day, good talks, and time to talk to each other.|Ein Tag, gute Vorträge und Zeit für Gespräche.|Un día, buenas charlas y tiempo para hablar.|Une journée, de belles interventions et du temps pour échanger.',
    items:
      'Doors open~Coffee and name tags~9:00;Opening talk~Where we stand, and what is next~9:30;Parallel sessions~Three rooms, short breaks~11:00;Lunch~Vegetarian, vegan on request~12:30;Workshops~Bring your laptop~14:00;Closing~Drinks on the terrace~17:30|Einlass~Kaffee und Namensschilder~9:00;Eröffnung~Wo wir stehen und was kommt~9:30;Parallele Vorträge~Drei Räume, kurze Pausen~11:00;Mittagessen~Vegetarisch, auf Wunsch vegan~12:30;Workshops~Bring den Laptop mit~14:00;Ausklang~Getränke auf der Terrasse~17:30|Apertura~Café y credenciales~9:00;Charla inaugural~Dónde estamos y qué viene~9:30;Sesiones paralelas~Tres salas, pausas cortas~11:00;Comida~Vegetariana, vegana si lo pides~12:30;Talleres~Trae tu portátil~14:00;Cierre~Algo de beber en la terraza~17:30|Accueil~Café et badges~9:00;Ouverture~Où nous en sommes, ce qui vient~9:30;Sessions parallèles~Trois salles, courtes pauses~11:00;Déjeuner~Végétarien, végane sur demande~12:30;Ateliers~Apportez votre ordinateur~14:00;Clôture~Un verre sur la terrasse~17:30',
  },
  {
    words:
      'birthday\\p{L}*|geburtstag\\p{L}*|cumpleaños|anniversaire|party|fiesta|fête|feier|sommerfest|festival|concert|konzert|concierto|.',
    accent: '#d9631e',
    look: 'soft',
    tagline:
      'Good company, good music, and something to eat.|Nette Leute, gute Musik und etwas zu essen.|Buena compañía, buena música y algo de comer.|De bonnes compagnies, de la musique, et de quoi manger.',
    items:
      'Come on in~Something cold to drink is ready~17:00;Food~Bring a salad if you like~18:30;Cake~And a song~20:00;Music~Your wishes count~20:30|Ankommen~Kaltes steht bereit~17:00;Essen~Bring gern einen Salat mit~18:30;Kuchen~Und ein Lied~20:00;Musik~Wünsche zählen~20:30|Llegada~Hay algo frío para beber~17:00;Comida~Trae una ensalada si quieres~18:30;Tarta~Y una canción~20:00;Música~Se aceptan peticiones~20:30|Arrivée~De quoi boire frais~17:00;Repas~Apportez une salade si vous voulez~18:30;Gâteau~Et une chanson~20:00;Musique~À la demande~20:30',
  },
] as const;

/** What people with a portfolio do. */
export const roles: readonly (readonly [string, string])[] = [
  ['photograph\\p{L}*|fotograf\\p{L}*|fotógraf\\p{L}*', 'Photography|Fotografie|Fotografía|Photographie'],
  [
    'illustrat\\p{L}*|ilustrador\\p{L}*|artist|künstler\\p{L}*|artista|painter|malerin',
    'Illustration|Illustration|Ilustración|Illustration',
  ],
  [
    'architect\\p{L}*|architekt\\p{L}*|arquitect\\p{L}*',
    'Architecture|Architektur|Arquitectura|Architecture',
  ],
  [
    '(?:web|software|frontend|full[- ]stack|app) ?(?:developer|engineer)|developer|engineer|programmer|entwickler\\p{L}*|desarrollador\\p{L}*|développeu\\p{L}*|programador\\p{L}*',
    'Software development|Softwareentwicklung|Desarrollo de software|Développement logiciel',
  ],
  [
    '(?:ux|ui|graphic|product|web|interior|fashion)?[ /-]?(?:designer|design)\\p{L}*|diseñador\\p{L}*|diseño|grafik\\p{L}*|graphiste',
    'Design|Design|Diseño|Design',
  ],
  [
    'writer|author|journalist\\p{L}*|copywriter|autor\\p{L}*|texter\\p{L}*|escritor\\p{L}*|periodista|rédact\\p{L}*',
    'Writing|Text und Redaktion|Redacción|Écriture',
  ],
  ['musician|singer|dj|composer|musiker\\p{L}*|músic\\p{L}*|musicien\\p{L}*', 'Music|Musik|Música|Musique'],
  [
    'teacher|tutor|lehrer\\p{L}*|profesor\\p{L}*|professeur\\p{L}*',
    'Teaching|Unterricht|Enseñanza|Enseignement',
  ],
  ['film ?maker|videograph\\p{L}*|filmemacher\\p{L}*|cineasta|vidéaste', 'Film|Film|Cine|Film'],
];
