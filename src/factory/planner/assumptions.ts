import type { Lang } from '../spec.ts';
import { inLang } from './text.ts';

/** What the planner may have to say about its choices: English | German | Spanish | French. */
const texts = {
  vague:
    'The prompt leaves open what to build; this is a useful start. Name the kind of app to get another.|Der Text lässt offen, was entstehen soll; dies ist ein nützlicher Anfang. Nenne die Art der App für eine andere.|El texto no dice qué construir; esto es un comienzo útil. Nombra el tipo de app para obtener otra.|Le texte laisse ouvert ce qu’il faut construire ; voici un début utile. Nommez le type d’application pour en obtenir une autre.',
  name: 'No name was given, so it is called “{value}”.|Es war kein Name genannt, daher heißt sie „{value}“.|No había nombre, así que se llama «{value}».|Aucun nom n’était donné : elle s’appelle « {value} ».',
  typos:
    'Read as it was probably meant: {value}.|So gelesen, wie es wohl gemeint war: {value}.|Leído como probablemente se quería decir: {value}.|Lu comme on l’entendait sans doute : {value}.',
  options:
    'No options were listed; these are examples.|Es waren keine Antworten genannt; diese sind Beispiele.|No se indicaron opciones; estas son ejemplos.|Aucune option n’était indiquée ; celles-ci sont des exemples.',
  fields:
    'Fields were not listed; these are usual: {value}.|Felder waren nicht genannt; üblich sind: {value}.|No se indicaron campos; los habituales son: {value}.|Les champs n’étaient pas indiqués ; voici les plus courants : {value}.',
  unknownThing:
    '“{value}” is kept with general fields; list the fields for others.|„{value}“ hat allgemeine Felder; zähle Felder auf, um andere zu bekommen.|«{value}» usa campos generales; enumera otros si los necesitas.|« {value} » a des champs généraux ; énumérez-en d’autres au besoin.',
  colour:
    'No colour was named; the accent suits the subject.|Es war keine Farbe genannt; der Akzent passt zum Thema.|No se indicó color; el acento va con el tema.|Aucune couleur n’était indiquée ; l’accent convient au sujet.',
  currency:
    'Amounts are in {value}.|Beträge sind in {value}.|Los importes están en {value}.|Les montants sont en {value}.',
  seed: 'The first entries are examples and can be deleted.|Die ersten Einträge sind Beispiele und lassen sich löschen.|Los primeros datos son ejemplos y se pueden borrar.|Les premières entrées sont des exemples à supprimer.',
  prices:
    'Offers and prices are examples: replace them.|Angebote und Preise sind Beispiele: bitte ersetzen.|Ofertas y precios son ejemplos: cámbialos.|Offres et prix sont des exemples : remplacez-les.',
  hours:
    'Opening hours are examples: replace them.|Öffnungszeiten sind Beispiele: bitte ersetzen.|El horario es un ejemplo: cámbialo.|Les horaires sont des exemples : remplacez-les.',
  texts:
    'Texts are examples in the right place; write your own in the page’s data.|Texte sind Beispiele an der richtigen Stelle; schreibe eigene in die Daten der Seite.|Los textos son ejemplos; escribe los tuyos en los datos de la página.|Les textes sont des exemples ; écrivez les vôtres dans les données de la page.',
  date: 'No date was given; it is set sixty days ahead.|Es war kein Datum genannt; es liegt sechzig Tage voraus.|No había fecha; está a sesenta días.|Aucune date n’était donnée ; elle est fixée à soixante jours.',
  programme:
    'The programme is an example: replace it.|Das Programm ist ein Beispiel: bitte ersetzen.|El programa es un ejemplo: cámbialo.|Le programme est un exemple : remplacez-le.',
  nextDay:
    'No year was given; it is the next such day.|Es war kein Jahr genannt; es ist der nächste solche Tag.|No se indicó el año; es la próxima vez que llega ese día.|Aucune année n’était donnée ; c’est la prochaine fois que ce jour arrive.',
  topic:
    'There are no ready questions on this subject; it starts with general ones, and you can add your own.|Zu diesem Thema gibt es keine fertigen Fragen; es beginnt mit allgemeinen, eigene lassen sich hinzufügen.|No hay preguntas listas sobre este tema; empieza con generales y puedes añadir las tuyas.|Pas de questions prêtes sur ce sujet ; cela commence par des générales, ajoutez les vôtres.',
  nearTopic:
    'There are no ready questions on exactly this; it starts with some from its field, and you can add your own.|Genau dazu gibt es keine fertigen Fragen; es beginnt mit solchen aus dem Umfeld, eigene lassen sich hinzufügen.|Sobre esto exactamente no hay preguntas listas; empieza con otras del mismo campo y puedes añadir las tuyas.|Pas de questions prêtes sur ce sujet précis ; cela commence par d’autres du même domaine, ajoutez les vôtres.',
  fewQuestions:
    'Fewer questions are ready than were asked for; you can add your own.|Es gibt weniger fertige Fragen als gewünscht; eigene lassen sich hinzufügen.|Hay menos preguntas listas que las pedidas; puedes añadir las tuyas.|Il y a moins de questions prêtes que demandé ; ajoutez les vôtres.',
  ownEntries:
    'The list holds the entries that you named.|Auf der Liste steht, was du genannt hast.|La lista contiene lo que nombraste.|La liste contient ce que vous avez nommé.',
  ownCards:
    'It holds what you wrote; you can add more in the app.|Sie enthält, was du geschrieben hast; mehr lässt sich in der App hinzufügen.|Contiene lo que escribiste; puedes añadir más en la app.|Elle contient ce que vous avez écrit ; ajoutez-en dans l’application.',
  openCards:
    'Not every card has its answer: write in those that are missing.|Nicht jede Karte hat schon ihre Antwort: fehlende bitte eintragen.|No todas las tarjetas tienen su respuesta: escribe las que faltan.|Toutes les cartes n’ont pas encore leur réponse : complétez celles qui manquent.',
  game: 'This game has no template; of those that have one, {value} comes closest.|Für dieses Spiel gibt es keine Vorlage; am nächsten kommt {value}.|Para este juego no hay plantilla; el más cercano es {value}.|Ce jeu n’a pas de modèle ; le plus proche est {value}.',
  formula:
    'No ready formula fits; this is a full calculator with history.|Keine fertige Formel passt; dies ist ein voller Rechner mit Verlauf.|Ninguna fórmula encaja; es una calculadora completa con historial.|Aucune formule prête ne convient ; voici une calculatrice complète.',
  turns:
    'It has one clock, not two that take turns: reset it after each move.|Sie hat eine Uhr, nicht zwei im Wechsel: nach jedem Zug zurücksetzen.|Tiene un solo reloj, no dos por turnos: reinícialo tras cada jugada.|Elle a une seule horloge, pas deux en alternance : remettez-la à zéro après chaque coup.',
  split:
    'The parts to compare were not named: {value} are examples.|Die Teile zum Vergleichen waren nicht genannt: {value} sind Beispiele.|No se nombraron las partes que comparar: {value} son ejemplos.|Les parties à comparer n’étaient pas nommées : {value} sont des exemples.',
  shares:
    'You write in each person’s share; it adds the shares up but does not work them out.|Den Anteil jeder Person trägst du ein; die App summiert, teilt aber nicht selbst auf.|La parte de cada persona la escribes tú; la app suma, pero no reparte sola.|La part de chacun est à saisir ; l’application additionne mais ne répartit pas.',
  documents:
    'It keeps them in a list with their data; it makes no documents or PDF files of them.|Sie führt sie als Liste mit ihren Daten; Dokumente oder PDF-Dateien erzeugt sie nicht.|Las guarda en una lista con sus datos; no genera documentos ni archivos PDF.|Elle les garde dans une liste avec leurs données ; elle ne produit ni documents ni fichiers PDF.',
  goal: 'Your goal stands below the name: {value}. Entries are not measured against it.|Dein Ziel steht unter dem Namen: {value}. Mit den Einträgen wird es nicht verglichen.|Tu objetivo está bajo el nombre: {value}. No se compara con las entradas.|Votre objectif figure sous le nom : {value}. Les entrées n’y sont pas comparées.',
  units:
    'Volume and weight cannot be converted into each other without knowing the ingredient; both have a tab.|Volumen und Gewicht lassen sich ohne die Zutat nicht ineinander umrechnen; beide haben einen Reiter.|Volumen y peso no se convierten entre sí sin saber el ingrediente; cada uno tiene su pestaña.|Volume et poids ne se convertissent pas sans connaître l’ingrédient ; chacun a son onglet.',
  live: 'It shows no live data: an app of this kind talks to no other service.|Sie zeigt keine Live-Daten: So eine App spricht mit keinem anderen Dienst.|No muestra datos en vivo: una app así no habla con otros servicios.|Elle ne montre pas de données en direct : une telle application ne parle à aucun service.',
  device:
    'It works for one person on one device: there is no server behind it.|Sie ist für eine Person auf einem Gerät: Es steht kein Server dahinter.|Funciona para una persona en un dispositivo: no hay servidor detrás.|Elle sert une personne sur un appareil : il n’y a pas de serveur derrière.',
} as const;

export type Assumption = keyof typeof texts;

/** @param value what it is about, for the texts that name it */
export function assume(what: Assumption, lang: Lang, value: string): string {
  return inLang(texts[what], lang).replace('{value}', () => value);
}
