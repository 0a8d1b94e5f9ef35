import type { Trade } from './trades.ts';

/** A kind of business with texts for its page; languages are separated by `|`, items by `;`, their parts by `~`. */
export interface Business {
  readonly words: string;
  /** Which texts its page has besides its own: content/trades.ts. */
  readonly trade: Trade;
  readonly accent: string;
  readonly look: 'soft' | 'crisp' | 'editorial';
  readonly kicker: string;
  readonly tagline: string;
  readonly list: string;
  /** Title, text and price of three offers. */
  readonly items: string;
}

/** What prompts for a site are for. The last one serves for everything else. */
export const businesses: readonly Business[] = [
  {
    words: 'bakery|bäckerei|panadería|boulangerie|pâtisserie|konditorei|pastelería|cake shop|bread',
    trade: 'food',
    accent: '#b5651d',
    look: 'editorial',
    kicker: 'Bakery|Bäckerei|Panadería|Boulangerie',
    tagline:
      'Bread with time to rise, and something sweet for the way.|Brot, das Zeit zum Reifen hat, und etwas Süßes für den Weg.|Pan con tiempo de reposo y algo dulce para el camino.|Du pain qui prend son temps, et une douceur pour la route.',
    list: 'From the oven|Aus dem Ofen|Del horno|Du four',
    items:
      'Sourdough loaf~Rye and wheat, baked on stone~5.80;Butter croissant~Folded by hand each morning~2.40;Apple tart~With apples from the orchard nearby~3.90|Sauerteigbrot~Roggen und Weizen, auf Stein gebacken~5,80;Buttercroissant~Jeden Morgen von Hand gefaltet~2,40;Apfelkuchen~Mit Äpfeln aus der Nachbarschaft~3,90|Pan de masa madre~Centeno y trigo, horno de piedra~5,80;Cruasán de mantequilla~Hecho a mano cada mañana~2,40;Tarta de manzana~Con manzanas de la huerta~3,90|Pain au levain~Seigle et blé, cuit sur pierre~5,80;Croissant au beurre~Plié à la main chaque matin~2,40;Tarte aux pommes~Pommes du verger voisin~3,90',
  },
  {
    words:
      'café|cafe|coffee ?shop|coffee|kaffee(?:haus|rösterei)?|cafetería|tea ?room|roastery|espresso bar|salon de thé',
    trade: 'food',
    accent: '#7a4a2b',
    look: 'soft',
    kicker: 'Café|Café|Café|Café',
    tagline:
      'Good coffee, a warm corner and time to sit down.|Guter Kaffee, ein warmer Platz und Zeit zum Sitzen.|Buen café, un rincón cálido y tiempo para sentarse.|Un bon café, un coin chaleureux et le temps de s’asseoir.',
    list: 'Menu|Karte|Carta|Carte',
    items:
      'Flat white~Double shot, silky milk~3.80;Filter of the day~From a small farm, freshly brewed~3.20;Banana bread~Toasted, with salted butter~3.60|Flat White~Doppelter Espresso, cremige Milch~3,80;Filter des Tages~Von einer kleinen Farm, frisch gebrüht~3,20;Bananenbrot~Getoastet, mit Salzbutter~3,60|Flat white~Doble espresso y leche cremosa~3,80;Filtro del día~De una finca pequeña, recién hecho~3,20;Bizcocho de plátano~Tostado, con mantequilla salada~3,60|Flat white~Double espresso, lait soyeux~3,80;Filtre du jour~D’une petite ferme, infusé minute~3,20;Banana bread~Toasté, beurre salé~3,60',
  },
  {
    words:
      'restaurant|resto|pizzeria|pizza|trattoria|bistro|osteria|food ?truck|diner|grill|taquería|taqueria|ramen|sushi|imbiss|gasthaus|brasserie|bar de tapas|tapas|restaurante|burger|bar',
    trade: 'food',
    accent: '#a8322a',
    look: 'editorial',
    kicker: 'Restaurant|Restaurant|Restaurante|Restaurant',
    tagline:
      'A short menu, cooked with care, for long evenings.|Eine kleine Karte, mit Sorgfalt gekocht, für lange Abende.|Una carta corta, cocinada con mimo, para noches largas.|Une carte courte, cuisinée avec soin, pour de longues soirées.',
    list: 'Menu|Speisekarte|Carta|Carte',
    items:
      'Burrata and tomatoes~With basil and warm focaccia~11.50;Dish of the day~Ask us what the market had~16.90;Panna cotta~With berries of the season~7.20|Burrata und Tomaten~Mit Basilikum und warmer Focaccia~11,50;Gericht des Tages~Je nachdem, was der Markt hergab~16,90;Panna cotta~Mit Beeren der Saison~7,20|Burrata con tomates~Con albahaca y focaccia caliente~11,50;Plato del día~Lo que nos dio el mercado~16,90;Panna cotta~Con frutos rojos~7,20|Burrata et tomates~Basilic et focaccia tiède~11,50;Plat du jour~Selon le marché~16,90;Panna cotta~Fruits rouges de saison~7,20',
  },
  {
    words:
      'hair ?(?:salon|dresser|dressers|dressing)|barber(?:shop)?|friseur(?:salon)?|peluquería|coiffeu(?:r|se)|salon de coiffure|peluquer[oa]|friseurin|barbería|beauty salon|nail (?:salon|studio|bar)|nagelstudio|kosmetikstudio|salon|spa|massage\\p{L}*|masaje',
    trade: 'beauty',
    accent: '#a0527d',
    look: 'soft',
    kicker: 'Salon|Salon|Salón|Salon',
    tagline:
      'Come in, sit back, leave lighter.|Reinkommen, zurücklehnen, leichter gehen.|Entra, relájate y sal como nueva.|Entrez, détendez-vous, repartez plus léger.',
    list: 'Prices|Preise|Precios|Tarifs',
    items:
      'Cut and blow-dry~With time to talk it through~48;Colour~Gentle products only~72;Beard and shave~Hot towel included~26|Schneiden und Föhnen~Mit Zeit für Beratung~48;Farbe~Nur schonende Produkte~72;Bart und Rasur~Mit heißem Tuch~26|Corte y peinado~Con tiempo para hablarlo~48;Color~Solo productos suaves~72;Barba y afeitado~Con toalla caliente~26|Coupe et brushing~Avec le temps d’en parler~48;Couleur~Produits doux uniquement~72;Barbe et rasage~Serviette chaude comprise~26',
  },
  {
    words:
      'gym|fitness(?: ?studio)?|yoga\\p{L}*(?: studio)?|pilates|crossfit|personal trainer|gimnasio|salle de sport|martial arts|dance (?:school|studio)|tanzschule',
    trade: 'sport',
    accent: '#d1495b',
    look: 'crisp',
    kicker: 'Studio|Studio|Estudio|Studio',
    tagline:
      'Small classes, honest coaching, at your own pace.|Kleine Kurse, ehrliche Begleitung, in deinem Tempo.|Clases pequeñas, buenos consejos, a tu ritmo.|De petits cours, un vrai suivi, à votre rythme.',
    list: 'Classes and prices|Kurse und Preise|Clases y precios|Cours et tarifs',
    items:
      'Trial class~Come as you are~0;Ten classes~Valid for half a year~120;Membership~All classes, every month~59|Probestunde~Komm einfach vorbei~0;Zehnerkarte~Ein halbes Jahr gültig~120;Mitgliedschaft~Alle Kurse, jeden Monat~59|Clase de prueba~Ven como eres~0;Bono de diez~Válido medio año~120;Cuota mensual~Todas las clases~59|Cours d’essai~Venez comme vous êtes~0;Carte de dix~Valable six mois~120;Abonnement~Tous les cours, chaque mois~59',
  },
  {
    words:
      'florist|flower ?shop|flowers|blumenladen|florería|floristería|fleuriste|garden (?:center|centre)|gärtnerei|nursery',
    trade: 'shop',
    accent: '#3f8f5f',
    look: 'soft',
    kicker: 'Flowers|Blumen|Flores|Fleurs',
    tagline:
      'Bouquets of the season, tied while you watch.|Sträuße der Saison, vor deinen Augen gebunden.|Ramos de temporada, hechos ante ti.|Des bouquets de saison, composés devant vous.',
    list: 'What we make|Was wir binden|Lo que hacemos|Nos créations',
    items:
      'Seasonal bouquet~What is in bloom this week~28;Wedding flowers~From the bouquet to the tables~;Plant subscription~A new plant every month~19|Saisonstrauß~Was diese Woche blüht~28;Hochzeitsblumen~Vom Strauß bis zur Tafel~;Pflanzenabo~Jeden Monat eine neue Pflanze~19|Ramo de temporada~Lo que florece esta semana~28;Flores de boda~Del ramo a las mesas~;Suscripción de plantas~Una nueva cada mes~19|Bouquet de saison~Ce qui fleurit cette semaine~28;Fleurs de mariage~Du bouquet aux tables~;Abonnement plantes~Une nouvelle chaque mois~19',
  },
  {
    words:
      'dentist|doctor|clinic|zahnarzt\\p{L}*|arztpraxis|praxis|physio\\p{L}*|therapist|therapy|psycholog\\p{L}*|dentista|clínica|dentiste|cabinet|vet(?:erinary)?|tierarzt\\p{L}*',
    trade: 'health',
    accent: '#1c7fa6',
    look: 'crisp',
    kicker: 'Practice|Praxis|Consulta|Cabinet',
    tagline:
      'We take our time, and explain every step.|Wir nehmen uns Zeit und erklären jeden Schritt.|Nos tomamos el tiempo de explicar cada paso.|Nous prenons le temps d’expliquer chaque étape.',
    list: 'How we help|Leistungen|En qué ayudamos|Nos soins',
    items:
      'First visit~A talk and a careful look~;Check-ups~Once or twice a year~;Urgent cases~Call us, we find a slot the same day~|Erster Besuch~Gespräch und sorgfältige Untersuchung~;Vorsorge~Ein- bis zweimal im Jahr~;Notfälle~Ruf an, wir finden am selben Tag Zeit~|Primera visita~Charla y revisión cuidadosa~;Revisiones~Una o dos veces al año~;Urgencias~Llámanos, te vemos el mismo día~|Première visite~Un échange et un examen attentif~;Contrôles~Une à deux fois par an~;Urgences~Appelez, nous vous voyons le jour même~',
  },
  {
    words:
      'plumb(?:er|ing)|electrician|carpent(?:er|ry)|handyman|roof(?:er|ing)|painter|joiner|schreinerei?|tischlerei?|klempner|elektriker|maler(?:betrieb)?|handwerker|fontanero|electricista|carpintería|plombier|électricien|menuisier|artisan|cleaning (?:company|service)|landscaping|gardener|gartenbau|mechanic|garage|(?:auto|kfz-)?werkstatt|taller mecánico|bike shop|bicycle shop|fahrradladen|taller',
    trade: 'craft',
    accent: '#2f6690',
    look: 'crisp',
    kicker: 'Workshop|Handwerk|Taller|Atelier',
    tagline:
      'Done right, on time, at the price we named.|Sauber, pünktlich und zum genannten Preis.|Bien hecho, a tiempo y al precio acordado.|Bien fait, à l’heure, au prix annoncé.',
    list: 'What we do|Leistungen|Lo que hacemos|Nos services',
    items:
      'Repairs~Small jobs too, usually within two days~;New installations~Planned with you, built to last~;Maintenance~Once a year, so nothing surprises you~|Reparaturen~Auch Kleines, meist in zwei Tagen~;Neubau und Einbau~Mit dir geplant, für lange gebaut~;Wartung~Einmal im Jahr, damit nichts überrascht~|Reparaciones~También pequeñas, en dos días~;Instalaciones~Planificadas contigo, para durar~;Mantenimiento~Una vez al año, sin sorpresas~|Réparations~Même petites, souvent sous deux jours~;Installations~Pensées avec vous, faites pour durer~;Entretien~Une fois l’an, sans surprise~',
  },
  {
    words:
      'saas|startups?|start-up|software|mobile app|our app|my app|ai tool|platform|product launch|waitlist|plattform|plataforma|plateforme|aplicación|logiciel|mi app|meine app|unsere app|notre appli(?:cation)?',
    trade: 'software',
    accent: '#5b4be0',
    look: 'crisp',
    kicker: 'Product|Produkt|Producto|Produit',
    tagline:
      'Less clicking around, more work done.|Weniger Klicken, mehr geschafft.|Menos clics, más trabajo hecho.|Moins de clics, plus de travail accompli.',
    list: 'Plans|Preise|Planes|Offres',
    items:
      'Free~For trying it out~0;Team~Everything, for up to ten people~19;Company~With support you can call~79|Kostenlos~Zum Ausprobieren~0;Team~Alles, für bis zu zehn Leute~19;Firma~Mit Hilfe am Telefon~79|Gratis~Para probar~0;Equipo~Todo, hasta diez personas~19;Empresa~Con ayuda por teléfono~79|Gratuit~Pour essayer~0;Équipe~Tout, jusqu’à dix personnes~19;Entreprise~Avec assistance téléphonique~79',
  },
  {
    words:
      "hotel|guest ?house|bed and breakfast|b&b|hostel|holiday (?:home|rental)|vacation rental|ferienwohnung|pension|casa rural|hôtel|gîte|chambre d[’']hôtes?|campsite|airbnb",
    trade: 'stay',
    accent: '#2a7f74',
    look: 'editorial',
    kicker: 'Guest house|Gästehaus|Alojamiento|Maison d’hôtes',
    tagline:
      'Arrive late, sleep well, stay for breakfast.|Spät ankommen, gut schlafen, zum Frühstück bleiben.|Llega tarde, duerme bien, quédate a desayunar.|Arrivez tard, dormez bien, restez au petit-déjeuner.',
    list: 'Rooms|Zimmer|Habitaciones|Chambres',
    items:
      'Double room~With a view of the garden~94;Family room~Two beds and a bunk~128;Breakfast~Bread, eggs, fruit, coffee~12|Doppelzimmer~Mit Blick in den Garten~94;Familienzimmer~Zwei Betten und ein Hochbett~128;Frühstück~Brot, Eier, Obst, Kaffee~12|Habitación doble~Con vistas al jardín~94;Habitación familiar~Dos camas y litera~128;Desayuno~Pan, huevos, fruta y café~12|Chambre double~Vue sur le jardin~94;Chambre familiale~Deux lits et des lits superposés~128;Petit-déjeuner~Pain, œufs, fruits, café~12',
  },
  {
    words:
      'consult\\p{L}*|agency|agentur|agencia|agence|law(?:yer| firm)|kanzlei|abogad\\p{L}*|avocat|accountant|steuerberat\\p{L}*|coach(?:ing)?|freelance\\p{L}*|architect\\p{L}*|beratung|studio|tutor\\p{L}*|nachhilfe|music (?:school|lessons)|language school|sprachschule|driving school|fahrschule|photographer|wedding planner|real estate agent',
    trade: 'service',
    accent: '#34558b',
    look: 'crisp',
    kicker: 'Services|Leistungen|Servicios|Services',
    tagline:
      'We listen first, then we get to work.|Erst hören wir zu, dann legen wir los.|Primero escuchamos, luego trabajamos.|D’abord nous écoutons, ensuite nous agissons.',
    list: 'Services|Leistungen|Servicios|Services',
    items:
      'First talk~Half an hour, free of charge~;Project work~From the idea to the handover~;Ongoing support~A fixed contact, every month~|Erstgespräch~Eine halbe Stunde, kostenlos~;Projektarbeit~Von der Idee bis zur Übergabe~;Laufende Begleitung~Feste Ansprechperson, jeden Monat~|Primera charla~Media hora, sin coste~;Proyectos~De la idea a la entrega~;Acompañamiento~Un contacto fijo, cada mes~|Premier échange~Une demi-heure, gratuit~;Projets~De l’idée à la livraison~;Suivi~Un contact fixe, chaque mois~',
  },
  {
    words:
      'band|bands|choir|chor|orchestra|orchester|singer-songwriter|dj|rapper|rock ?band|jazz ?(?:band|trio|quartet)|musicians?|grupo de (?:música|rock|pop|jazz|música)|grupo musical|banda(?: de \\p{L}+)?|coro|groupe(?: de (?:musique|rock|jazz))?|chorale|ensemble|mi grupo|a cappella|blaskapelle|musikverein',
    trade: 'music',
    accent: '#7a3b8f',
    look: 'editorial',
    kicker: 'Live music|Livemusik|Música en directo|Musique en direct',
    tagline:
      'Songs, dates and how to book us.|Lieder, Termine und wie man uns bucht.|Canciones, fechas y contratación.|Chansons, dates et réservations.',
    list: 'Listen and book|Hören und buchen|Escuchar y contratar|Écouter et réserver',
    items:
      'Concerts~Clubs, festivals and small stages~;Private events~Tell us the date and the place~;Press and booking~Write to us for photos and a rider~|Konzerte~Clubs, Festivals und kleine Bühnen~;Private Feiern~Nenn uns Tag und Ort~;Presse und Booking~Schreib uns für Fotos und Technik-Rider~|Conciertos~Salas, festivales y pequeños escenarios~;Eventos privados~Dinos la fecha y el lugar~;Prensa y contratación~Escríbenos para fotos y rider~|Concerts~Clubs, festivals et petites scènes~;Événements privés~Donnez-nous la date et le lieu~;Presse et réservations~Écrivez-nous pour les photos et la fiche technique~',
  },
  {
    words:
      'association|verein|sportverein|\\p{L}{3,}verein|nonprofit|non-profit|ngo|charity|foundation|stiftung|church|kirchengemeinde|fundación|asociación|ong|club|iglesia|église|animal shelter|tierheim|community (?:garden|centre|center|group)|neighbou?rhood group|feuerwehr|food bank|tafel|refugio',
    trade: 'cause',
    accent: '#2f6f62',
    look: 'soft',
    kicker: 'Association|Verein|Asociación|Association',
    tagline:
      'What we stand for, and how you can take part.|Wofür wir stehen und wie du mitmachst.|Lo que defendemos y cómo participar.|Ce que nous défendons, et comment participer.',
    list: 'Take part|Mitmachen|Participa|Participer',
    items:
      'Join in~Lend a hand, an hour or a year~;Become a member~Write to us, we send you the form~;Donate~Ask us how your gift is used~|Mithelfen~Eine Stunde oder ein Jahr lang~;Mitglied werden~Schreib uns, wir schicken den Antrag~;Spenden~Frag uns, wofür wir Spenden nutzen~|Colabora~Una hora o todo un año~;Hazte socio~Escríbenos y te mandamos el formulario~;Dona~Pregúntanos en qué se usa~|Donner un coup de main~Une heure ou une année~;Adhérer~Écrivez-nous, nous envoyons le formulaire~;Faire un don~Demandez-nous à quoi il sert~',
  },
  {
    words:
      'school|schule|\\p{L}{3,}schule|kindergarten|kita|daycare|nursery school|escuela|colegio|guardería|academia|école|crèche|tutor(?:ing)?|tutors|nachhilfe|clases particulares|cours particuliers|language courses?|sprachkurse?|workshops?',
    trade: 'school',
    accent: '#2f5bd0',
    look: 'soft',
    kicker: 'Learning|Lernen|Aprender|Apprendre',
    tagline:
      'Learning in small groups, one step after the other.|Lernen in kleinen Gruppen, Schritt für Schritt.|Aprender en grupos pequeños, paso a paso.|Apprendre en petits groupes, pas à pas.',
    list: 'What we teach|Was wir anbieten|Lo que enseñamos|Ce que nous enseignons',
    items:
      'Beginners~No knowledge needed~;Advanced~For those who want more~;One to one~At your own pace~|Anfänger~Ohne Vorkenntnisse~;Fortgeschrittene~Für alle, die mehr wollen~;Einzelunterricht~In deinem Tempo~|Principiantes~Sin conocimientos previos~;Avanzado~Para quien quiere más~;Individual~A tu ritmo~|Débutants~Sans connaissances préalables~;Avancés~Pour aller plus loin~;Cours individuel~À votre rythme~',
  },
  {
    words:
      'shop|store|boutique|laden|geschäft|tienda|magasin|bookstore|bookshop|buchhandlung|librería|librairie|pet shop|market|farm shop|hofladen|wine ?shop',
    trade: 'shop',
    accent: '#2f6f62',
    look: 'soft',
    kicker: 'Shop|Laden|Tienda|Boutique',
    tagline:
      'Glad you are here. This is what we have, and how to find us.|Schön, dass du da bist. Das haben wir, und so findest du uns.|Qué bien que estés aquí. Esto tenemos y así nos encuentras.|Heureux de vous voir. Voici ce que nous avons et où nous trouver.',
    list: 'What we offer|Was wir bieten|Lo que ofrecemos|Ce que nous proposons',
    items:
      'Advice~Ask us anything, we like to help~;Selection~Chosen with care, tried by ourselves~;Orders~What is not here we get for you~|Beratung~Frag uns alles, wir helfen gern~;Auswahl~Mit Sorgfalt gewählt, selbst probiert~;Bestellungen~Was nicht da ist, besorgen wir~|Consejo~Pregúntanos, ayudamos con gusto~;Selección~Elegida con cuidado y probada~;Pedidos~Lo que no hay, lo encargamos~|Conseil~Demandez, nous aimons aider~;Sélection~Choisie avec soin, testée par nous~;Commandes~Ce qui manque, nous le commandons~',
  },
  {
    words:
      'business|company|firma|empresa|entreprise|negocio|museum|gallery|galerie|farm|bauernhof|winery|weingut|brewery|brauerei',
    trade: 'neutral',
    accent: '#2f6f62',
    look: 'soft',
    kicker: 'Welcome|Willkommen|Bienvenida|Bienvenue',
    tagline:
      'This is what we do, and how to reach us.|Das machen wir, und so erreichst du uns.|Esto hacemos y así nos encuentras.|Voici ce que nous faisons et comment nous joindre.',
    list: 'What we do|Was wir machen|Lo que hacemos|Ce que nous faisons',
    items:
      'First offer~Say here what it is and whom it helps (example)~;Second offer~What it includes, and how it works (example)~;Third offer~When it makes sense (example)~|Erstes Angebot~Sag hier, was es ist und wem es hilft (Beispiel)~;Zweites Angebot~Was dazugehört und wie es abläuft (Beispiel)~;Drittes Angebot~Wann es sinnvoll ist (Beispiel)~|Primera oferta~Di aquí qué es y a quién ayuda (ejemplo)~;Segunda oferta~Qué incluye y cómo funciona (ejemplo)~;Tercera oferta~Cuándo conviene (ejemplo)~|Première offre~Dites ici ce que c’est et qui elle aide (exemple)~;Deuxième offre~Ce qu’elle comprend et comment (exemple)~;Troisième offre~Quand elle convient (exemple)~',
  },
];
