import { choicesIn } from './choices.ts';
import { germanLists } from './german-lists.ts';

const end =
  '(?=[.!?…](?:\\s|$)|\\.\\.\\.|$|\\s(?:called|named|namens|llamad[ao]|appelée?|in (?:dark |light )?(?:blue|green|red|orange|purple|pink|teal|yellow))\\s)';
const labelled =
  /(?<!\p{L})(?:fields|field(?=:)|columns|column(?=:)|felder|spalten|campos|champs|colonnes|columnas|attributes|properties|lanes|stages)(?:\s*(?:are|sind|son|sont|for))?\s*:?\s+(.+?)/iu;
const listed =
  /(?<!\p{L})(?:with|mit|con|avec|including|(?:having|has|have)(?! (?:it|them|to|been|already)(?!\p{L}))|tracks|containing|each with|inklusive|storing|showing|incluyendo|muestra|comprenant|enthält)\s+(?:(?:the|its|their|den|die|los|las|les|following|folgenden|fields?|columns?|feldern?|spalten|campos|columnas|champs|colonnes)\s*:?\s+)*(.+?)/iu;

/** Verbs that always name what a person is to write down. */
const asking =
  '(?:know|see|savoir|voir|saber|ver)(?= (?:if|whether|si) )|(?:field|column|feld|spalte|campo|columna|champ|colonne|space|room|platz|espacio)s? (?:for|für|para|pour)|not(?:er|ent|ons)|put(?:ting)? down|put in|writ(?:e|ing) down|not(?:e|ing) down|jot(?:ting)? down|fill(?:ing)? (?:in|out)|typ(?:e|ing) in|enter(?:ing)?|ask(?:s|ing)?(?: (?:them|people|guests|everyone|members|visitors|you|users|customers))? for|collect(?:s|ing)? (?:the |their |his |your )|captur(?:e|es|ing)|specify(?:ing)?|giv(?:e|ing) (?:the |their |his |your )|provid(?:e|ing)|leav(?:e|ing) (?:the |their |his |your )|needs? to know|want to know|should (?:have|contain|include|show|store|record)|must (?:have|contain|include)|for (?:each|every) \\p{L}{2,20}(?: \\p{L}{2,20})?,? (?:i|we|you|it|there) (?:also )?(?:need|want|would like|like|have|has|is|note|record|store|save|keep|log|track|see|write|list)(?: to (?:know|note|record|store|save|keep|see|write|track|log|enter|have))?(?: down)?|note(?:s)? (?:the |their |its |his )|records? (?:the |their |its |who |what |when |how )|also (?:needs?|wants?|note|record|store|show|track|log|ask for|include)|apunt\\p{L}{1,4}|anot\\p{L}{1,4}|pid(?:e|a|en|an|iendo)|ped(?:ir|imos)|preguntar?|indi(?:car|quen?|can?)|introdu(?:cir|zcan?|zca)|rellen\\p{L}{1,4}|pon(?:er|gan?|en)(?= (?:su|el|la|los|las|nombre))|debe(?:ría)? (?:tener|incluir|guardar|mostrar)|que (?:tenga|incluya|guarde|muestre|pida|registre)|de cada \\p{L}{2,20}(?: (?:quiero|necesito|queremos|hay que))?(?: (?:guardar|apuntar|anotar|saber|registrar))?|para cada \\p{L}{2,20}(?: (?:quiero|necesito|queremos))?(?: (?:guardar|apuntar|anotar|saber|registrar))?|indiqu(?:er|ent|e)|saisi(?:r|ssent|t)|demand(?:er|ent|e|ant)|renseign(?:er|ent|e)|précis(?:er|ent|e)|remplir|inscri(?:re|vent)|mentionn\\p{L}{1,3}|doit (?:avoir|contenir|inclure|afficher)|pour chaque \\p{L}{2,20},?(?: (?:je|on|nous) (?:veux|veut|voulons|voudrais|note|notons))?(?: (?:noter|garder|enregistrer|savoir|saisir))?';

/** Verbs of keeping: “track income and expenses” is about what is kept, so such a list must look like fields. */
const keeping =
  'keep(?:ing|s)?(?: track of)?|stor(?:e|es|ing)|track(?:s|ing)?|log(?:s|ging)?|record(?:s|ing)?|not(?:e|es|ing)|sav(?:e|es|ing)|collect(?:s|ing)?|see|know|remember|add|show(?:s)?|writ(?:e|ing)|registr(?:ar|en?|a|amos)|guard(?:ar|an?|en?|amos)|recoger|saber|ver|llevar|enregistr(?:er|ent|e)|gard(?:er|ent|e)|stock(?:er|e)|savoir|voir|suivre';

/** A sentence that adds to a list: “Also notes.” */
const adding = 'also|plus|additionally|außerdem|zusätzlich|ebenso|también|además|aussi|en plus|ainsi que';

const lead =
  '(?:\\s+(?:down|in|about|each|both|all|only|just|(?:at least )?things like|such as|solo|simplement|seulement)(?!\\p{L}))?\\s*:?\\s+(.+?)';

const asked = (verbs: string) => new RegExp(`(?<!\\p{L})(?:${verbs})(?!\\p{L})${lead}${end}`, 'giu');
const patterns = { asking: asked(asking), keeping: asked(keeping) };
const added = new RegExp(`(?:[.!?;…]\\s+)(?:and )?(?:${adding})[,:]?\\s+(.+?)${end}`, 'giu');

/** Where what follows is no longer a list: “… and we want to filter by day”. */
const stops =
  /(?:[,;]\s?(?:(?:and|und|y|et|but|then|so|dann|luego|puis)\s)?|\s(?:and|und|y|et|but|then|so|[-–])\s)(?:(?:we|i|it|they|you|users?|the app|everything|that way|then|please|nous|je|on|ich|wir|es|man|yo|luego|después|ensuite|puis|danach|dann|bitte|por favor) (?:(?:also|then|just|would|auch) )?(?:want|wants|need|needs|should|can|could|will|would|like|must|love|voudr\p{L}+|veu[xt]|voul\p{L}+|doit|möcht\p{L}+|will|woll\p{L}+|brauch\p{L}+|kann|können|soll\p{L}*|que|poder|ver|filtrar|ordenar|make|use|build)|(?:quiero|queremos|filter|sort|möchte|will)\s)(?!\p{N}).*$|,?\s(?:so that|so (?:(?:the|our|my|every|each) )?\p{L}+ (?:can|could|will|knows?|sees?)|in order to|because|damit|sodass|weil|para que|porque|para (?:poder|saber|ver)|afin|pour (?:que|pouvoir|savoir)|parce que|to (?:see|find|know|filter|sort))(?!\p{L}).*$/iu;

const examples =
  /(?:,\s*)?(?<!\p{L})(?:e\.\s?g\.|i\.\s?e\.|z\.\s?b\.|d\.\s?h\.|p\.\s?ej\.|par ex\.|for example|for instance|zum beispiel|por ejemplo|par exemple)(?:\s|,)*/giu;

/** “My runs: date, distance”: the list stands after the colon. */
const subject = /^[^,;()]{0,80}:\s+/u;
/** “My recipes - ingredients, time”: a dash before the first comma leads to a list as a colon does. */
const dashed = /^([^,;:.!?–—]{3,80}?) [-–—] (?=[^,.!?]{2,60},)/u;
/** “A list of books”: the word before is no verb. */
const preposition = /^(?:with|of|for|mit|von|für|con|de|del|avec|about|by|to)\s/iu;

export interface ListText {
  readonly at: number;
  readonly text: string;
  /** `asked`: it follows a verb of asking. `with`: “with …”, or after a colon. `kept`: what is kept track of.
   * `bare`: a sentence that may be nothing but a list. */
  readonly sort: 'asked' | 'with' | 'kept' | 'added' | 'bare';
}

export interface ListTexts {
  /** The text of a list after a word such as “fields:”. */
  readonly explicit: string | null;
  readonly loose: readonly string[];
  /** All that may be lists of fields, in the order in which they stand in the prompt. */
  readonly stated: readonly ListText[];
}

/** The texts of the lists in a prompt: after “fields:”, after “with”, after “put down”, after a colon. */
export function listTexts(raw: string): ListTexts {
  const whole = raw.replace(examples, (all) => (all.startsWith(',') ? ' ' : '')).replace(dashed, '$1: ');
  const choices = choicesIn(whole);
  // What stands in a list of choices is none of the fields.
  const prompt = choices.reduceRight((text, { at, end }) => text.slice(0, at) + text.slice(end), whole);
  const explicit = new RegExp(labelled.source + end, 'iu').exec(prompt)?.[1] ?? null;
  const afterColon = /:\s+([^:]+?)[.!]?$/u.exec(prompt)?.[1];
  const all = (pattern: RegExp) =>
    [...prompt.matchAll(pattern)].map((match) => ({ text: match[1] ?? '', at: match.index }));
  const loose = all(new RegExp(listed.source + end, 'giu'));
  const colons = all(/:\s+([^:.!?]{3,400}\??)/giu);
  const sorted = (sort: ListText['sort'], found: readonly { text: string; at: number }[]) =>
    found
      .map(({ text, at }) => ({ sort, at, text: text.replace(subject, '').replace(stops, '').trim() }))
      .filter(({ text }) => text !== '' && !preposition.test(text));
  const stated = [
    ...sorted('asked', all(patterns.asking)),
    ...sorted('asked', germanLists(prompt)),
    ...sorted('with', loose),
    ...sorted('with', colons),
    ...sorted('kept', all(patterns.keeping)),
    ...sorted('added', all(added)),
    ...choices.map(({ text, at }) => ({ sort: 'added' as const, text, at })),
    ...sorted('bare', all(/([^.!?…]{5,600}\??)(?=[.!?…]|\s|$)/gu)),
  ].sort((a, b) => a.at - b.at);
  return {
    explicit,
    loose: [...(afterColon?.includes(',') ? [afterColon] : []), ...loose.map(({ text }) => text)],
    stated,
  };
}
