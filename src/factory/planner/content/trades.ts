/** What trades have in common on their pages; languages are separated by `|`, items by `;`, their parts by `~`. */
export interface TradeTexts {
  readonly why: string;
  readonly about: string;
  readonly contact: string;
  /** People come at opening hours, so that a page without them lacks something. */
  readonly opens: boolean;
}

export type Trade =
  | 'food'
  | 'beauty'
  | 'sport'
  | 'shop'
  | 'health'
  | 'craft'
  | 'software'
  | 'stay'
  | 'service'
  | 'music'
  | 'cause'
  | 'school'
  | 'neutral';

const comeBy =
  'Write to us, or just come by.|Schreib uns oder komm einfach vorbei.|Escríbenos o ven a vernos.|Écrivez-nous, ou passez simplement.';
const write =
  'Write to us; we answer as soon as we can.|Schreib uns; wir antworten, sobald wir können.|Escríbenos; respondemos en cuanto podamos.|Écrivez-nous ; nous répondons dès que possible.';
const book =
  'Write to us for an appointment.|Schreib uns für einen Termin.|Escríbenos para pedir cita.|Écrivez-nous pour prendre rendez-vous.';

export const trades: Readonly<Record<Trade, TradeTexts>> = {
  food: {
    why: 'Fresh~Made on the day it is eaten.;By hand~From good ingredients, without haste.;Welcome~Alone, in pairs or with the whole family.|Frisch~Am selben Tag gemacht.;Von Hand~Aus guten Zutaten, ohne Eile.;Willkommen~Allein, zu zweit oder mit der Familie.|Fresco~Hecho en el día.;A mano~Con buenos ingredientes, sin prisa.;Bienvenidos~A solas, en pareja o en familia.|Frais~Préparé le jour même.;Fait main~De bons produits, sans hâte.;Bienvenue~Seul, à deux ou en famille.',
    about:
      '{name}: good food and time at the table. Ask us what is best today.|{name}: gutes Essen und Zeit am Tisch. Frag uns, was heute am besten ist.|{name}: buena comida y tiempo en la mesa. Pregúntanos qué está mejor hoy.|{name} : de bonnes choses et du temps à table. Demandez-nous ce qui est le meilleur aujourd’hui.',
    contact: comeBy,
    opens: true,
  },
  beauty: {
    why: 'Time for you~No rush between two appointments.;Advice~We say what suits you, and what does not.;Gentle~Products that care for skin and hair.|Zeit für dich~Keine Hektik zwischen zwei Terminen.;Beratung~Wir sagen, was dir steht und was nicht.;Schonend~Produkte, die Haut und Haar pflegen.|Tiempo para ti~Sin prisas entre citas.;Consejo~Te decimos qué te queda bien.;Con cuidado~Productos que cuidan piel y cabello.|Du temps pour vous~Sans hâte entre deux rendez-vous.;Conseil~Nous disons ce qui vous va.;Doux~Des produits qui prennent soin de la peau et des cheveux.',
    about:
      '{name}: come in, sit back and tell us what you wish for.|{name}: komm rein, lehn dich zurück und sag uns, was du dir wünschst.|{name}: entra, ponte cómodo y cuéntanos qué deseas.|{name} : entrez, installez-vous et dites-nous ce que vous souhaitez.',
    contact: book,
    opens: true,
  },
  sport: {
    why: 'All levels~Beginners are welcome.;Small groups~The coach sees how you move.;At your pace~Come as often as it suits you.|Jedes Niveau~Auch zum Anfangen.;Kleine Gruppen~Es wird auf deine Haltung geachtet.;Dein Tempo~Komm, so oft es dir passt.|Todos los niveles~También para empezar.;Grupos pequeños~Cuidamos tu postura.;A tu ritmo~Ven cuando te convenga.|Tous niveaux~Débutants bienvenus.;Petits groupes~On veille à votre posture.;À votre rythme~Venez quand cela vous convient.',
    about:
      '{name} is a place to move. Try a class and see whether it suits you.|{name} ist ein Ort für Bewegung. Probier eine Stunde und schau, ob es passt.|{name} es un lugar para moverse. Prueba una clase y mira si te gusta.|{name} est un lieu pour bouger. Essayez un cours et voyez s’il vous convient.',
    contact: comeBy,
    opens: true,
  },
  shop: {
    why: 'Chosen~We only have what we like ourselves.;Advice~Ask, compare, take your time.;Orders~What is not here we get for you.|Ausgewählt~Nur, was wir selbst mögen.;Beratung~Fragen, vergleichen, Zeit lassen.;Bestellungen~Was fehlt, besorgen wir.|Elegido~Solo lo que nos gusta.;Consejo~Pregunta, compara, sin prisa.;Pedidos~Lo que falta, lo encargamos.|Choisi~Seulement ce que nous aimons.;Conseil~Demandez, comparez, prenez le temps.;Commandes~Ce qui manque, nous le commandons.',
    about:
      '{name}: come in and look around. We are glad to help you find the right thing.|{name}: komm rein und sieh dich um. Wir helfen gern beim Finden.|{name}: pasa y mira. Te ayudamos a encontrar lo que buscas.|{name} : entrez et regardez. Nous vous aidons volontiers à trouver.',
    contact: comeBy,
    opens: true,
  },
  health: {
    why: 'Time to listen~First you speak, then we look.;Clear words~Every step is explained.;Appointments~Planned so that waits stay short.|Zeit zum Zuhören~Erst sprichst du, dann sehen wir hin.;Klare Worte~Jeder Schritt wird erklärt.;Termine~So geplant, dass das Warten kurz bleibt.|Tiempo para escuchar~Primero hablas tú.;Palabras claras~Explicamos cada paso.;Citas~Planeadas para esperar poco.|Le temps d’écouter~Vous parlez d’abord.;Des mots clairs~Chaque étape est expliquée.;Rendez-vous~Prévus pour attendre peu.',
    about:
      '{name}: careful treatment and clear explanations. Ask us whatever you want to know.|{name}: sorgfältige Behandlung und klare Erklärungen. Frag uns, was du wissen möchtest.|{name}: atención cuidadosa y explicaciones claras. Pregunta lo que quieras saber.|{name} : des soins attentifs et des explications claires. Posez toutes vos questions.',
    contact: book,
    opens: true,
  },
  craft: {
    why: 'A clear offer~You know the price before we begin.;Clean work~We leave the place as we found it.;Repairs~We mend what can be mended.|Klares Angebot~Du kennst den Preis vorher.;Saubere Arbeit~Wir hinterlassen alles ordentlich.;Reparatur~Was sich richten lässt, richten wir.|Presupuesto claro~Sabes el precio antes de empezar.;Trabajo limpio~Dejamos todo en orden.;Reparaciones~Arreglamos lo que tiene arreglo.|Un devis clair~Vous connaissez le prix avant.;Travail propre~Nous laissons tout en ordre.;Réparations~Nous réparons ce qui peut l’être.',
    about:
      '{name}: tell us what you need; we come, measure and make you an offer.|{name}: sag uns, was du brauchst; wir kommen, messen und machen ein Angebot.|{name}: cuéntanos qué necesitas; vamos, medimos y te damos un presupuesto.|{name} : dites-nous ce qu’il vous faut ; nous venons, mesurons et faisons un devis.',
    contact: write,
    opens: false,
  },
  software: {
    why: 'Quick to start~Set up in a few minutes.;Your data~Export it whenever you like.;Real help~Questions are answered by people.|Schnell startklar~In wenigen Minuten eingerichtet.;Deine Daten~Jederzeit exportierbar.;Echte Hilfe~Fragen beantworten Menschen.|Empieza rápido~Listo en pocos minutos.;Tus datos~Expórtalos cuando quieras.;Ayuda real~Responden personas.|Vite prêt~Installé en quelques minutes.;Vos données~Exportables à tout moment.;Une vraie aide~Des personnes vous répondent.',
    about:
      '{name} takes work off your hands. Try it and see how it fits into your day.|{name} nimmt dir Arbeit ab. Probier es aus und sieh, wie es in deinen Tag passt.|{name} te quita trabajo. Pruébalo y mira cómo encaja en tu día.|{name} vous décharge. Essayez-le et voyez comment il s’intègre à votre journée.',
    contact: write,
    opens: false,
  },
  stay: {
    why: 'Quiet~Rooms to sleep well in.;Personal~We tell you what is worth seeing.;Simple~Ask, book, arrive.|Ruhig~Zimmer zum guten Schlafen.;Persönlich~Wir sagen dir, was sich lohnt.;Einfach~Anfragen, buchen, ankommen.|Tranquilo~Habitaciones para dormir bien.;Personal~Te decimos qué ver.;Sencillo~Pregunta, reserva y llega.|Calme~Des chambres où bien dormir.;Personnel~Nous disons ce qui vaut la visite.;Simple~Demander, réserver, arriver.',
    about:
      '{name}: a place to arrive and rest. Ask us about free dates.|{name}: ein Ort zum Ankommen und Ausruhen. Frag uns nach freien Tagen.|{name}: un lugar para llegar y descansar. Pregunta por fechas libres.|{name} : un lieu où arriver et se reposer. Demandez les dates libres.',
    contact: write,
    opens: false,
  },
  service: {
    why: 'First a talk~We want to understand before we propose.;Clear steps~You know what happens next.;One contact~You always talk to the same person.|Erst reden~Wir wollen verstehen, dann vorschlagen.;Klare Schritte~Du weißt, was als Nächstes kommt.;Ein Kontakt~Du sprichst immer mit derselben Person.|Primero hablar~Entender antes de proponer.;Pasos claros~Sabes qué viene después.;Un contacto~Siempre la misma persona.|D’abord parler~Comprendre avant de proposer.;Étapes claires~Vous savez ce qui vient.;Un contact~Toujours la même personne.',
    about:
      '{name}: tell us about your plans, and we say how we can help.|{name}: erzähl uns von deinem Vorhaben, und wir sagen, wie wir helfen.|{name}: cuéntanos tus planes y te decimos cómo ayudarte.|{name} : parlez-nous de votre projet, nous dirons comment aider.',
    contact: write,
    opens: false,
  },
  music: {
    why: '',
    about:
      '{name}: write here who plays, how you found each other and what you sound like.|{name}: Schreib hier, wer spielt, wie ihr euch gefunden habt und wie ihr klingt.|{name}: escribe aquí quién toca, cómo os conocisteis y cómo sonáis.|{name} : écrivez ici qui joue, comment vous vous êtes trouvés et votre son.',
    contact:
      'For bookings and questions, write to us.|Für Buchungen und Fragen schreib uns.|Para contrataciones y preguntas, escríbenos.|Pour réserver ou demander, écrivez-nous.',
    opens: false,
  },
  cause: {
    why: 'Open~Everybody is welcome.;Together~We decide and work as a group.;Nearby~For people around us.|Offen~Alle sind willkommen.;Gemeinsam~Wir entscheiden und arbeiten zusammen.;In der Nähe~Für die Menschen um uns.|Abierto~Todo el mundo es bienvenido.;Juntos~Decidimos y trabajamos en grupo.;Cerca~Para la gente de aquí.|Ouvert~Tout le monde est bienvenu.;Ensemble~Nous décidons et agissons en groupe.;Proche~Pour les gens d’ici.',
    about:
      '{name}: write here what you do, for whom, and since when.|{name}: Schreib hier, was ihr macht, für wen und seit wann.|{name}: escribe aquí qué hacéis, para quién y desde cuándo.|{name} : écrivez ici ce que vous faites, pour qui et depuis quand.',
    contact: write,
    opens: false,
  },
  school: {
    why: 'Small groups~Room for every question.;Clear goals~You see what you have learnt.;Try first~A first lesson shows whether it fits.|Kleine Gruppen~Raum für jede Frage.;Klare Ziele~Du siehst, was du gelernt hast.;Erst probieren~Eine erste Stunde zeigt, ob es passt.|Grupos pequeños~Lugar para cada pregunta.;Metas claras~Ves lo que aprendes.;Prueba~Una primera clase muestra si encaja.|Petits groupes~Place à chaque question.;Buts clairs~Vous voyez vos progrès.;Essai~Un premier cours montre si cela convient.',
    about:
      '{name}: write here what you teach, whom, and how you work.|{name}: Schreib hier, was ihr unterrichtet, wen und wie ihr arbeitet.|{name}: escribe aquí qué enseñáis, a quién y cómo.|{name} : écrivez ici ce que vous enseignez, à qui et comment.',
    contact: write,
    opens: false,
  },
  neutral: {
    why: '',
    about:
      '{name}: write here who you are, what you do and for whom.|{name}: Schreib hier, wer ihr seid, was ihr macht und für wen.|{name}: escribe aquí quiénes sois, qué hacéis y para quién.|{name} : écrivez ici qui vous êtes, ce que vous faites et pour qui.',
    contact: write,
    opens: false,
  },
};
