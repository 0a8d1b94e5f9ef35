import { type Lang, langs, type Question } from '../../../spec.ts';

/** Everyday words in the four languages and in those that are only learnt. */
const everyday =
  'hello,hallo,hola,bonjour,ciao,olá,こんにちは (konnichiwa);thank you,danke,gracias,merci,grazie,obrigado,ありがとう (arigatō);please,bitte,por favor,s’il vous plaît,per favore,por favor,お願いします (onegai shimasu);water,Wasser,agua,eau,acqua,água,水 (mizu);bread,Brot,pan,pain,pane,pão,パン (pan);house,Haus,casa,maison,casa,casa,家 (ie);friend,Freund,amigo,ami,amico,amigo,友達 (tomodachi);to eat,essen,comer,manger,mangiare,comer,食べる (taberu);to go,gehen,ir,aller,andare,ir,行く (iku);today,heute,hoy,aujourd’hui,oggi,hoje,今日 (kyō);tomorrow,morgen,mañana,demain,domani,amanhã,明日 (ashita);beautiful,schön,bonito,beau,bello,bonito,美しい (utsukushii);train,Zug,tren,train,treno,comboio,電車 (densha);street,Straße,calle,rue,strada,rua,道 (michi);book,Buch,libro,livre,libro,livro,本 (hon);dog,Hund,perro,chien,cane,cão,犬 (inu);cat,Katze,gato,chat,gatto,gato,猫 (neko);day,Tag,día,jour,giorno,dia,日 (hi);good,gut,bueno,bon,buono,bom,いい (ii);big,groß,grande,grand,grande,grande,大きい (ōkii)';

/** The words, one row for each meaning. */
export const everydayRows: readonly (readonly string[])[] = everyday
  .split(';')
  .map((line) => line.split(','));

/** The languages of the rows, in order. */
export const columns = [...langs, 'it', 'pt', 'ja'] as const;
export type Learnt = (typeof columns)[number];

const languageNames: readonly (readonly [Learnt, RegExp])[] = (
  [
    ['ja', 'japan(?:ese|isch\\p{L}*)|japonés|japonais|japones'],
    ['it', 'italian|italienisch\\p{L}*|italiano|italien'],
    ['pt', 'portuguese|portugiesisch\\p{L}*|portugués|portugais'],
    ['es', 'spanish|spanisch\\p{L}*|español|espagnol|espanol'],
    ['fr', 'french|französisch\\p{L}*|francés|français|frances|francais'],
    ['de', 'german|deutsch\\p{L}*|alemán|allemand|aleman'],
    ['en', 'english|englisch\\p{L}*|inglés|anglais|ingles'],
  ] as const
).map(([code, source]) => [code, new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu')]);

/** The language that is learnt, and the one that it is learnt in: the other that is named, or the prompt's own. */
export function learntIn(
  prompt: string,
  lang: Lang,
): { readonly target: Learnt; readonly known: Learnt } | null {
  const named = languageNames
    .map(([code, pattern]) => ({ code, at: pattern.exec(prompt)?.index ?? -1 }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ code }) => code);
  const target = named.find((code) => code !== lang);
  return target ? { target, known: named.find((code) => code !== target) ?? lang } : null;
}

/** Words asked in the language that is learnt, answered in the other. */
export function vocabulary(prompt: string, lang: Lang): Question[] | null {
  const pair = learntIn(prompt, lang);
  if (!pair) return null;
  const { target, known } = pair;
  const cell = (row: readonly string[] | undefined, code: Learnt) => row?.[columns.indexOf(code)] ?? '';
  return everydayRows.map((row, index) => ({
    prompt: cell(row, target),
    answer: cell(row, known),
    wrong: [3, 7, 12].map((step) => cell(everydayRows[(index + step) % everydayRows.length], known)),
  }));
}
