/** Words that say nothing about what an app is for, in the languages of prompts. */
const empty =
  /^(?:an?|the|this|that|these|those|my|our|your|his|her|its|their|me|us|you|it|i|we|he|she|they|mine|some|any|all|every|each|another|one|few|lots?|many|more|something|anything|everything|someone|anyone|thing|things|stuff|app|apps|application|program|programme|software|tool|tools|project|web|website|site|page|html|online|mobile|phone|simple|easy|small|little|nice|cool|awesome|amazing|fun|funny|great|good|better|best|basic|new|useful|helpful|handy|interesting|modern|beautiful|pretty|personal|clean|quick|fast|free|random|build|building|make|making|create|creating|generate|design|develop|write|give|show|want|wants|need|needs|like|would|could|can|please|pls|help|helps|do|does|have|has|get|use|using|to|for|of|with|and|or|in|on|at|by|from|about|so|just|really|very|hi|hello|hey|thanks|daily|life|myself|yourself|mein(?:e[nrms]?)?|unser(?:e[nrms]?)?|dein(?:e[nrms]?)?|ein(?:e[nrms]?)?|der|die|das|den|dem|des|mich|mir|dich|dir|uns|ich|wir|etwas|was|irgendwas|irgendetwas|alles|dinge|sachen|zeug|anwendung|werkzeug|programm|seite|einfache?[nrs]?|kleine?[nrs]?|schöne?[nrs]?|tolle?[nrs]?|coole?[nrs]?|nützliche?[nrs]?|gute?[nrs]?|neue?[nrs]?|lustige?[nrs]?|bau|baue|mach|mache|erstelle?|erstellen|machen|bauen|brauche|will|möchte|hätte|gerne?|bitte|für|mit|und|von|zu|zum|zur|mal|hallo|un|una|unos|unas|el|la|los|las|lo|mis?|tus?|sus?|nuestr[oa]s?|yo|me|mí|nos|algo|alguna?|cosas?|todo|aplicación|aplicacion|herramienta|programa|página|sencill[oa]s?|simples?|pequeñ[oa]s?|bonit[oa]s?|buen[oa]?s?|nuev[oa]s?|útil|útiles|chul[oa]s?|genial|divertid[oa]s?|haz|hazme|crea|créame|creame|hacer|crear|quiero|necesito|quisiera|dame|por|favor|para|con|de|del|y|que|hola|une|le|les|mon|ma|mes|notre|nos|moi|toi|je|il|elle|quelque|chose|choses|truc|trucs|tout|appli|applis|outil|logiciel|petite?s?|jolie?s?|belle?|beau|bonne?|bon|nouvelle?|nouveau|utile|utiles|sympa|cool|géniale?|fais|fais-moi|faire|faites|crée|créer|créez|veux|voudrais|besoin|aimerais|donne|svp|stp|s’il|s'il|vous|te|plaît|plait|pour|avec|du|des|et|ou|bonjour|salut)$/iu;

/** Whether a word carries no meaning of its own. */
export function isEmptyWord(word: string): boolean {
  return word.length < 2 || empty.test(word.replace(/’/gu, "'")) || empty.test(word);
}

/** Without the words at the start that say nothing: “an app for my” before “stamps”. */
export function withoutEmptyStart(text: string): string {
  const all = text.trim().split(/\s+/u);
  const from = all.findIndex((word) => !isEmptyWord(word));
  return from < 0 ? '' : all.slice(from).join(' ');
}

/** Whether a prompt says nothing about what it wants but that it is an app. */
export function saysNothing(prompt: string): boolean {
  return (prompt.match(/[\p{L}\p{N}’'-]+/gu) ?? []).every(isEmptyWord);
}
