import { type Lang, langs } from '../spec.ts';

const smallWords: Record<Lang, RegExp> = {
  en: /(?<!\p{L})(the|at|open|from|called|named|needs?|your|page|about|please|on|and|with|for|my|an|of|to|that|where|our|me|is|it|build|make|create|want|need|app for|simple|list)(?!\p{L})/giu,
  de: /(?<![\p{L}\d])(ein|eine|einen|einer|eines|der|die|das|und|mit|für|meine|meinen|meiner|mein|zum|zur|von|ich|im|auf|erstelle|baue|bitte|unsere|unser|namens|den|über|ist|wird|am|dem|des|bis|aus|nach|bei)(?!\p{L})|[ßäöü]/giu,
  es: /(?<!\p{L})(una|un|el|la|los|las|con|para|mi|mis|del|de|y(?!\/n)|que|por|quiero|crea|nuestra|nuestro|en|llamad[ao]|sobre|hasta|quiero|necesito|año|cumpleaños)(?!\p{L})|[ñ¿¡]|(ción|ado)(?!\p{L})/giu,
  fr: /(?<!\p{L})(une|un|le|la|les|avec|pour|mon|ma|mes|des|du|de|et|qui|je|crée|créer|notre|nos|en|sur|appelée?|au|aux|chez|jusqu|l’an|nouvel an)(?!\p{L})|(?<!\p{L})[dlj]['’]|[çœêèù]/giu,
};

/** Words that name what prompts ask for. Prompts of one or two words have nothing else to tell their language by. */
const telling: Record<Lang, RegExp> = {
  en: /(?<!\p{L})(artist|year|price|owner|colou?r|shelf|quantity|amount|author|customer|brand|borrowed|paid|weight|logbook|tracker|calculator|game|planner|notes|page|expenses?|budgets?|students|kids|books?|recipes?|landing|timer|stopwatch|quiz about|converter|trainer|flash ?cards|website|countdown to|wedding of|menu|opening|shop|vocabulary|band|about us)(?!\p{L})/giu,
  de: /(?<!\p{L})\p{L}*(rechner|liste(?!n(?:ed|s|ing))|planer|tagebuch|verwaltung|stoppuhr|umfrage|trainer|sammlung|gewohnheit|rezept|aufgabe|ausgabe|einkauf|zeit|seite|bewerbung|notiz|pflanze|bücher|vokabel|haushalt|wecker|feier|lebenslauf|dokumentation|fragebogen|kasse|stundenplan|trainingsplan|essensplan|putzplan|einfach|fahrten|schicht|blutdruck|blutzucker|schlaf|trinken|wasser|schritte|stimmung|schachuhr|einmaleins|üben|aufschreiben|umrechnen|tracken|wartung|unterricht|geteilt|karten|kärtchen|plan(?=(?:er|ung)?(?!\p{L}))|kalender|wunsch|geburtstag|einladung|hochzeit|weihnacht|silvester|neujahr|urlaub|ferien|verein|geschichte|erdkunde|hauptst|mathe(?!mati[cq])|klasse|biologie(?=(?:quiz)?$)|deutsch|englisch|französisch|italienisch|spanisch|japanisch|hilfe|haustier|übersicht|speise|öffnungs|schule|lern|gewicht|ernährung|kosten|vertrag|termin|arbeit|stunden|urlaub|inventar|werkzeug|wohnung|umzug|garten|fahrt|sport(?=\p{L}{4}))\p{L}*|(?<!\p{L})\p{L}{3,}(?:quiz|ung|ungen|heit|keit|schaft|werk|zeug|nummer|spiel)(?!\p{L})|(?<!\p{L})(lila|blau|grün|rot|gelb|dunkel|schwarz|weiß|spiel)(?!\p{L})/giu,
  es: /(?<!\p{L})(tazas|pasos|peso|agua|sueño|ánimo|presión|glucosa|turnos|reloj|tablas|multiplicar|ajedrez|cumpleaños|aplicación|repartir|dividir|calculadora|lista|gastos|recetas|tareas|diario|encuesta|juego|cronómetro|temporizador|libros|notas|hábitos?|tablero|equipo|conversor|página|sitio|boda|monedas|propinas|tienda|plantas|reservas|verde|azul|roj[oa]|oscur[oa]|viajes|clientes|cuestionario|control|agenda|deseos|horario|semanal|mensual|menú|semana|compras?|películas|deportes|música|tarjetas|vacaciones|navidad|calendario|cuentas?|inventario|mascotas|medicinas|ejercicios?|entrenamientos?|invitación|quiz de|capitales de)(?!\p{L})/giu,
  fr: /(?<!\p{L})(tables de multiplication|multiplications|sommeil|truc|sympa|appli|poids|humeur|invitation d|partager|eau|pas quotidiens|planning d[eu]s?|échecs|calculatrice|liste|dépenses|recettes|tâches|sondage|jeu|chronomètre|minuteur|livres|carnet|convertisseur|devises|suivi|tableau|bord|mémoire|journal intime|mariage|plantes|habitudes|vert|bleu|rouge|sombre|voyages|pourboire|formulaire|gestion|notes de frais|courses|menus?(?= de)|semaine|vacances|noël|anniversaire|calendrier|cadeaux|emploi du temps|quiz d(?:e|es|u)|films|géographie|histoire|musique|cartes|mémo|boulangerie|coiffeur|entraînement|idées|contacts(?= (?:de|pour))|devoirs|réunion|souhaits)(?!\p{L})/giu,
};

/** Parts of names, which weigh less than a word: “Café Sonnenschein”, “Boulangerie Martin”. */
const hints: Record<Lang, RegExp | null> = {
  en: null,
  de: /(?<!\p{L})(?:\p{L}{3,30}(?:schein|stube|haus|hof|garten|blick|laden|werk|platz|handlung|mühle|küche|schmiede|straße|schule|praxis|markt|erei)|am|beim|zur|zum|friseur|kanzlei|apotheke|praxis|goldene[nrs]?|kleine[nrs]?|alte[nrs]?|schwarze[nrs]?)(?!\p{L})/giu,
  es: /(?<!\p{L})(?:\p{L}{3,30}ería|\p{L}{2,30}ón|casa|tienda|taberna|bodega|taller|restaurante|escuela|clínica|hermanos|estudio)(?!\p{L})/giu,
  fr: /(?<!\p{L})(?:\p{L}{3,30}erie|chez|au|aux|petite?|fleuriste|coiffeur|coiffure|auberge|atelier|librairie|école|maison|photographe|graphiste|architecte|site (?:de|du|des|pour))(?!\p{L})/giu,
};

/** The language of a prompt; English when nothing tells. */
export function languageOf(prompt: string): Lang {
  const count = (lang: Lang) =>
    (prompt.match(smallWords[lang])?.length ?? 0) +
    1.5 * (prompt.match(telling[lang])?.length ?? 0) +
    0.75 * (hints[lang] ? (prompt.match(hints[lang])?.length ?? 0) : 0);
  const scores = langs.map((lang) => [count(lang), lang] as const);
  const [score, lang] = scores.reduce((top, next) => (next[0] > top[0] ? next : top));
  return score === 0 ? 'en' : lang;
}
