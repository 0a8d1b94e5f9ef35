import { createHash } from 'node:crypto';
import { type Lang, langs } from '../spec.ts';

/** The word bounds of every script; `\b` only knows the letters of English. */
export function words(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'iu');
}

/** Cuts between words where it can, and never through a letter made of two code units. */
export function shortened(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const cut = letters.slice(0, most).join('');
  const space = cut.lastIndexOf(' ');
  return (space > most / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–-]+$/u, '');
}

export function capitalised(text: string, lang: Lang): string {
  const [first = '', ...rest] = [...text];
  return first.toLocaleUpperCase(lang) + rest.join('');
}

/** One of four texts separated by `|`. */
export function inLang(texts: string, lang: Lang): string {
  const all = texts.split('|');
  return all[langs.indexOf(lang)] ?? all[0] ?? '';
}

/** A number that is always the same for the same text; `salt` gives independent ones. */
export function hashOf(text: string, salt = ''): number {
  return createHash('sha256').update(`${salt}\0${text}`).digest().readUInt32BE(0);
}

const smallWords: Record<Lang, RegExp> = {
  en: /(?<!\p{L})(the|and|with|for|my|an|of|to|that|where|our|me|is|it|build|make|create|want|need|app for|simple|list)(?!\p{L})/giu,
  de: /(?<!\p{L})(ein|eine|einen|einer|eines|der|die|das|und|mit|für|meine|meinen|meiner|mein|zum|zur|von|ich|im|auf|erstelle|baue|bitte|unsere|unser|namens|den|über)(?!\p{L})|[ßäöü]/giu,
  es: /(?<!\p{L})(una|un|el|la|los|las|con|para|mi|mis|del|de|y|que|por|quiero|crea|nuestra|en|llamad[ao])(?!\p{L})|[ñ¿¡]|(ción|ado)(?!\p{L})/giu,
  fr: /(?<!\p{L})(une|un|le|la|les|avec|pour|mon|ma|mes|des|du|de|et|qui|je|crée|créer|notre|en|sur|appelée?)(?!\p{L})|(?<!\p{L})[dlj]['’]|[çœêèù]/giu,
};

/** Words that name what prompts ask for. Prompts of one or two words have nothing else to tell their language by. */
const telling: Record<Lang, RegExp> = {
  en: /(?<!\p{L})(tracker|calculator|game|planner|notes|page|expenses?|budgets?|students|kids|books?|recipes?|landing|timer|stopwatch|quiz about|converter)(?!\p{L})/giu,
  de: /(?<!\p{L})\p{L}*(rechner|liste|planer|tagebuch|verwaltung|stoppuhr|umfrage|trainer|sammlung|gewohnheit|rezept|aufgabe|ausgabe|einkauf|zeit|seite|bewerbung|notiz|pflanze|bücher|vokabel|haushalt|wecker|feier|lebenslauf|dokumentation|fragebogen|kasse|stundenplan|trainingsplan|essensplan|putzplan|einfach|einladung|fahrten|schicht|blutdruck|blutzucker|schlaf|trinken|wasser|gewicht|schritte|stimmung|schachuhr|einmaleins|üben|lernen|aufschreiben|umrechnen|tracken|speiseplan|wochenplan|dienstplan|wartung|unterricht|geteilt|kasse)\p{L}*|(?<!\p{L})(lila|blau|grün|rot|gelb|dunkel|schwarz|weiß|spiel)(?!\p{L})/giu,
  es: /(?<!\p{L})(menú|semanal|tazas|pasos|peso|agua|sueño|ánimo|presión|glucosa|turnos|horario|reloj|tablas|multiplicar|ajedrez|invitación|cumpleaños|aplicación|repartir|dividir|calculadora|lista|gastos|recetas|tareas|diario|encuesta|juego|cronómetro|temporizador|libros|notas|hábitos?|tablero|equipo|conversor|página|sitio|boda|monedas|propinas|tienda|plantas|reservas|verde|azul|roj[oa]|oscur[oa]|viajes|clientes|cuestionario|control)(?!\p{L})/giu,
  fr: /(?<!\p{L})(tables de multiplication|multiplications|sommeil|truc|sympa|appli|poids|suivi|humeur|invitation d|partager|dépenses|eau|pas quotidiens|planning d[eu]s?|emploi du temps|échecs|calculatrice|liste|dépenses|recettes|tâches|sondage|jeu|chronomètre|minuteur|livres|carnet|convertisseur|devises|suivi|tableau|bord|mémoire|journal intime|mariage|plantes|habitudes|vert|bleu|rouge|sombre|voyages|pourboire|formulaire|gestion|notes de frais)(?!\p{L})/giu,
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
