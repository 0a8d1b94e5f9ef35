import type { Lang, Section } from '../spec.ts';
import { contactIn } from './contact.ts';
import { pageTexts } from './content/texts.ts';
import { fill, type SiteParts } from './site.ts';
import { statedList } from './stated.ts';
import { type Answered, statedQuestions } from './stated-cards.ts';
import { capitalised, inLang, shortened } from './text.ts';
import { words } from './words.ts';

const faq = words('faqs?|preguntas frecuentes|foire aux questions|questions fréquentes|häufige fragen');
const software = words(
  'api|app|software|library for|sdk|cli|tool|plugin|package|framework|open[- ]source|programm|aplicación|logiciel|dashboard|saas|developers?',
);

/** What is asked about any subject: question and a neutral answer, to be replaced. */
const aboutTopic =
  'What applies to {topic}?=Write here what applies to {topic}: for whom, from when, and in what form.~How do I go about {topic}?=Describe the way step by step: which form, to whom, and how long the answer takes.~Whom can I ask about {topic}?=Name a person or an address for questions about {topic}.|Was gilt zum Thema {topic}?=Schreib hier, was zu {topic} gilt: für wen, ab wann und in welcher Form.~Wie gehe ich bei {topic} vor?=Beschreibe den Weg Schritt für Schritt: welches Formular, an wen, und wie lange die Antwort dauert.~Wen frage ich zu {topic}?=Nenne eine Person oder Adresse für Fragen zu {topic}.|¿Qué se aplica a {topic}?=Escribe aquí lo que vale para {topic}: para quién, desde cuándo y de qué forma.~¿Cómo procedo con {topic}?=Describe los pasos: qué formulario, a quién y cuánto tarda la respuesta.~¿A quién pregunto por {topic}?=Indica una persona o dirección para preguntas sobre {topic}.|Que faut-il savoir sur {topic} ?=Écrivez ici ce qui vaut pour {topic} : pour qui, à partir de quand et sous quelle forme.~Comment procéder pour {topic} ?=Décrivez les étapes : quel formulaire, à qui, et le délai de réponse.~À qui poser des questions sur {topic} ?=Indiquez une personne ou une adresse pour les questions sur {topic}.';
/** A help page of people rather than of a program. */
const ofPeople =
  'In general~Who are we?=Say in two sentences what it does and for whom.~When and how can I reach you?=Write your hours, a phone number and an email here.~What does it cost?=Say what is free, and what has a price.;Everyday~How do I sign up?=Describe the way step by step.~How do I change or cancel something?=Say until when that is possible, and how.~What do I have to bring?=List what people need.;Further questions~My question is not here. Whom do I ask?=Name a person or an address.|Allgemeines~Wer sind wir?=Sag in zwei Sätzen, was hier gemacht wird und für wen.~Wann und wie erreiche ich euch?=Schreib hier Zeiten, Telefonnummer und E-Mail.~Was kostet es?=Sag, was kostenlos ist und was nicht.;Im Alltag~Wie melde ich mich an?=Beschreibe den Weg Schritt für Schritt.~Wie ändere oder storniere ich etwas?=Sag, bis wann und wie das geht.~Was muss ich mitbringen?=Zähl auf, was man braucht.;Weitere Fragen~Meine Frage fehlt. Wen frage ich?=Nenne eine Person oder Adresse.|En general~¿Quiénes somos?=Di en dos frases qué hace y para quién.~¿Cuándo y cómo os contacto?=Escribe aquí horario, teléfono y correo.~¿Cuánto cuesta?=Di qué es gratis y qué no.;En el día a día~¿Cómo me apunto?=Describe los pasos.~¿Cómo cambio o cancelo algo?=Di hasta cuándo y cómo.~¿Qué tengo que llevar?=Enumera lo necesario.;Más preguntas~Mi pregunta no está. ¿A quién pregunto?=Indica una persona o dirección.|En général~Qui sommes-nous ?=Dites en deux phrases ce qui s’y fait et pour qui.~Quand et comment vous joindre ?=Écrivez ici horaires, téléphone et e-mail.~Combien cela coûte-t-il ?=Dites ce qui est gratuit et ce qui ne l’est pas.;Au quotidien~Comment s’inscrire ?=Décrivez les étapes.~Comment changer ou annuler ?=Dites jusqu’à quand et comment.~Que faut-il apporter ?=Énumérez le nécessaire.;Autres questions~Ma question n’y est pas. À qui la poser ?=Indiquez une personne ou une adresse.';

const chapter = (title: string, articles: readonly string[]): Section => ({
  type: 'faq',
  title,
  items: articles.map((article) => ({
    title: article.split('=')[0] ?? '',
    text: article.split('=')[1] ?? '',
  })),
});

const noTopic =
  /^(?:our|my|the|a|an|unsere?n?|meine?n?|mi|nuestr[oa]s?|notre|nos|mon|ma)?\s*(?:company|product|app|website|firma|team|business|empresa|entreprise|page|us|it)$/iu;

/** The subjects that a prompt gives, each a chapter of its own. */
function topicsIn(prompt: string): string[] {
  const listed = [...statedList(prompt, 'topics'), ...statedList(prompt, 'questions')].filter(
    (topic) => !noTopic.test(topic),
  );
  if (listed.length > 0) return listed;
  const one =
    /(?<!\p{L})(?:about|on|über|zum thema|sobre|acerca de|sur|à propos de)\s+([\p{L}\p{N}’'-]+(?:\s[\p{L}\p{N}’'-]+){0,3}?)(?=\s*(?:[.,;:!?]|$|\s(?:with|mit|con|avec|for|für|para|pour|in|auf|en)\s))/iu
      .exec(prompt)?.[1]
      ?.trim();
  return one && !noTopic.test(one) ? [capitalised(shortened(one, 60), 'en')] : [];
}

export function docsParts(prompt: string, name: string, lang: Lang): SiteParts {
  const plain = name.replace(/^(?:FAQ|Ayuda|Aide|Hilfe) ?: | FAQ$| Help$|: Hilfe$/u, '');
  const asked = statedQuestions(prompt, lang);
  const topics = topicsIn(prompt).slice(0, 10);
  const sections =
    asked.length > 0
      ? [answered(asked, plain, lang)]
      : topics.length > 0
        ? topics.map((topic) => {
            const inside =
              lang === 'de' || /^\p{Lu}{2}/u.test(topic)
                ? topic
                : topic.charAt(0).toLowerCase() + topic.slice(1);
            return chapter(topic, inLang(aboutTopic, lang).replaceAll('{topic}', inside).split('~'));
          })
        : fill(faq.test(prompt) && !software.test(prompt) ? ofPeople : pageTexts.docs, lang, plain)
            .split(';')
            .map((line) => {
              const [title = '', ...articles] = line.split('~');
              return chapter(title, articles);
            });
  return {
    sections,
    hours: [],
    contact: contactIn(prompt, lang),
    copy: { unfold: faq.test(prompt) ? 'no' : 'yes' },
    tagline: inLang(pageTexts.docsLine, lang),
    examples: asked.length > 0 && asked.every(({ answer }) => answer !== '') ? [] : ['texts'],
  };
}

const toAnswer =
  'Write the answer here.|Schreib hier die Antwort.|Escribe aquí la respuesta.|Écrivez ici la réponse.';

/** The questions of the prompt itself; what it does not answer is left to be filled in. */
const answered = (asked: readonly Answered[], title: string, lang: Lang): Section => ({
  type: 'faq',
  title,
  items: asked.map(({ question, answer }) => ({ title: question, text: answer || inLang(toAnswer, lang) })),
});
