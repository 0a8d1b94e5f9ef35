/**
 * German says the verb last (“Name, Telefon und Uhrzeit eintragen”), so a list is what stands before it; a colon
 * behind the verb leads to a list of its own.
 */
const last =
  /(?<!\p{L})(?:eintragen|eingetragen|angeben|angegeben|notieren|notiert|erfassen|erfasst|abfragen|abgefragt|aufschreiben|aufgeschrieben|speichern|gespeichert|festhalten|festgehalten|dokumentieren|dokumentiert|hinterlegen|hinterlegt|ausfüllen|eingeben|eingegeben|protokollieren|wissen|sehen|vermerken|vermerkt|abspeichern|mitteilen)(?!\p{L})(?!\s?:)/giu;

/** What may stand between the start of a sentence and the list. */
const before =
  /^.*(?<!\p{L})(?:ich|wir|man|sie|er|es|sich|jede[rsnm]?|leute|gäste|mitglieder|kunden|eltern|teilnehmer|besucher|möchten?|will|wollen|sollen?|sollte[n]?|können|kann|muss|müssen|würde|dabei|jeweils|gerne?|einfach|auch|dort|darin|für jede[ns]? \p{L}{2,30}|pro \p{L}{2,30}|zu jede[mr] \p{L}{2,30}|werden|dass|wo|der|die|das|app)\s+/iu;
const afterList =
  /\s+(?:sollen|soll|sollte|sollten|kann|können|muss|müssen|zu|werden|möchte|möchten|will|wollen|wird)\s*$/iu;

/**
 * Lists after a participle or a separable verb: “Gespeichert werden sollen Titel und Autor”, “trägt Name und Alter
 * ein”.
 */
const first =
  /(?<!\p{L})(?:erfasst|gespeichert|notiert|eingetragen|abgefragt|festgehalten|angegeben|dokumentiert|notiere|erfasse|speichere|frage)\s+(?:(?:werden|sollen|soll|sollte|kann|können|wird|ich|wir|man|ab|immer|jeweils|dabei)\s+)*:?\s*(.+?)(?=[.!?…](?:\s|$)|$)/giu;
const apart =
  /(?<!\p{L})(?:tr[aä]g(?:e|t|en)?|gib|gibt|geben|gebe|fülle?n?|füllt|frag(?:e|t|en)|schreib(?:e|t|en)?|halte?n?|hält)\s+(\S.{2,299}?)(?<!\s)\s+(?:ein|an|aus|ab|auf|fest)(?=[\s.,!?…]|$)/giu;
const stated =
  /(?<!\p{L})(?:(?:mit |unter )?angaben? (?:von|zu|über)|angaben:|nach folgende[nm] \p{L}{2,20}|jeder eintrag hat|jede[rs]? \p{L}{2,30} hat|(?:wichtig|nötig|gebraucht) (?:sind|werden|wären))(?:\s*:)?\s+(\S.*?)(?=[.!?…](?:\s|$)|$)/giu;

/** “… festhalten, ob sie bezahlt haben und wie viele kommen”. */
const asides =
  /(?<!\p{L})(?:eintragen|angeben|notieren|erfassen|abfragen|aufschreiben|speichern|festhalten|dokumentieren|eingeben|wissen|sehen|vermerken|mitteilen|sagen)[,:]\s+((?:ob|wie|welche[rsnm]?|wer|wann|wo|was)\s.+?)(?=[.!?…](?:\s|$)|$)/giu;

export function germanLists(prompt: string): { text: string; at: number }[] {
  const found = [
    ...prompt.matchAll(first),
    ...prompt.matchAll(apart),
    ...prompt.matchAll(stated),
    ...prompt.matchAll(asides),
  ].map((match) => ({ text: match[1] ?? '', at: match.index }));
  for (const verb of [...prompt.matchAll(last)].slice(0, 16)) {
    const start = Math.max(sentenceStart(prompt, verb.index), verb.index - 400);
    const sentence = prompt.slice(start, verb.index).replace(afterList, '').trim();
    const comma = sentence.search(/,|\s(?:und|sowie)\s/u);
    const firstItem = comma < 0 ? sentence : sentence.slice(0, comma);
    const text = `${firstItem} `.replace(before, '').trim() + (comma < 0 ? '' : sentence.slice(comma));
    if (text.trim() !== '') found.push({ text, at: start });
  }
  return found;
}

function sentenceStart(prompt: string, at: number): number {
  const ends = /[.!?:;…]\s/gu;
  let start = 0;
  for (const match of prompt.slice(0, at).matchAll(ends)) start = match.index + match[0].length;
  return start;
}
