import type { Token } from '../draft.ts';
import { endsSentence, type ListContext, type Zone } from './zone.ts';

/** Where lists may stand: behind what introduces them. */
export function zonesOf(context: ListContext, depths: readonly number[]): Zone[] {
  const { tokens } = context;
  const zones: Zone[] = [];
  let zone: Zone = { intro: '', from: 0, to: 0 };
  let commas = 0;
  let leading = true;
  const begin = (intro: string, from: number) => {
    if (zone.to > zone.from && !leading) zones.push(zone);
    zone = { intro, from, to: from };
    commas = 0;
    leading = false;
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token) break;
    if ((depths[index] ?? 0) > 0) {
      zone.to = index + 1;
      continue;
    }
    if (endsSentence(tokens, index)) {
      const asked = token.text === '?';
      begin('', index + 1);
      leading = !asked;
      continue;
    }
    const intro = introAt(context, index, commas, isInItem(tokens, index));
    if (intro) {
      begin(intro.lemma, index + intro.length);
      index += intro.length - 1;
      continue;
    }
    if (token.text === ',' || token.text === ';') commas += 1;
    zone.to = index + 1;
  }
  begin('', tokens.length);
  return zones.map((found) => stopped(found, context, depths));
}

/** A zone without the clause that follows its items: “… and notes so the treasurer can see”. */
function stopped(zone: Zone, context: ListContext, depths: readonly number[]): Zone {
  const { tokens, lexicon } = context;
  const { stops, joiners } = lexicon;
  for (let index = zone.from + 1; index < zone.to; index += 1) {
    if ((depths[index] ?? 0) > 0) continue;
    if (!stops.at(tokens, index)) continue;
    if (joiners.has(tokens[index]?.lower ?? '')) continue;
    const before = tokens[index - 1];
    // Items of lines begin with anything.
    if (before?.text === ';') continue;
    const fresh = before?.text === ',' || joiners.has(before?.lower ?? '');
    if (fresh || tokens[index]?.pos === 'conjunction') return { ...zone, to: fresh ? index - 1 : index };
  }
  return zone;
}

/** A colon, a dash with spaces, or a word that introduces a list. @param isListed within an item */
function introAt(
  { prompt, tokens, lexicon }: ListContext,
  index: number,
  commas: number,
  isListed: boolean,
): { readonly lemma: string; readonly length: number } | null {
  const token = tokens[index];
  if (!token) return null;
  const [last, next] = [tokens[index - 1], tokens[index + 1]];
  const isDash =
    /^[-–—]$/.test(token.text) &&
    commas === 0 &&
    /^ . $/su.test(prompt.slice(token.start - 1, token.end + 1));
  const isTime = next?.start === token.end && /^\d/.test(next.text);
  // The colon of an item stands before what it may be: “status: open, done”.
  if (isDash || (token.text === ':' && !isTime && !isListed)) {
    const noun = tokens
      .slice(Math.max(0, index - 3), index)
      .findLast(({ pos }) => pos === 'noun' || pos === 'name');
    // “Please bring: …”.
    const verb = last?.pos === 'verb' && !lexicon.closed.has(last.lower) ? last : null;
    return { lemma: (verb ?? noun)?.lemma ?? '', length: 1 };
  }
  const by = lexicon.with.at(tokens, index);
  // “…, columns wine, vintage”.
  const opens = last?.text === ',' && (by ?? lexicon.fields.at(tokens, index));
  if (commas > 0 && !opens && !(by && token.pos === 'verb')) return null;
  if (by) {
    const at = index + by.length + (tokens[index + by.length]?.pos === 'determiner' ? 1 : 0);
    const [noun, follows] = [tokens[at], tokens[at + 1]];
    if (noun && follows && lexicon.fields.at(tokens, at) && (follows.text === ':' || follows.pos !== 'mark'))
      return { lemma: noun.lemma, length: at + 1 - index + (follows.text === ':' ? 1 : 0) };
    return { lemma: token.lower, length: by.length };
  }
  const named = lexicon.fields.at(tokens, index) ?? lexicon.entries.at(tokens, index);
  if (!named || !next || /mark|preposition|verb|conjunction|pronoun/.test(next.pos)) return null;
  // “Name des Kindes” is a name, no list of names.
  if (next.pos === 'determiner' && !lexicon.fields.has(token.lower)) return null;
  return /s$|[ei]n?$|i$/.test(token.lower) ? { lemma: token.lemma, length: 1 } : null;
}

/** A colon behind the label of an item, before what it may be: “status: open/done, …” and “status: open, done; …”. */
function isInItem(tokens: readonly Token[], index: number): boolean {
  const isEnd = ({ text }: Token) => /^[,;:.!?]$/.test(text);
  const before = tokens.findLast((token, at) => at < index && isEnd(token))?.text;
  const next = tokens.findIndex((token, at) => at > index && isEnd(token));
  const part = tokens.slice(index, next < 0 ? undefined : next);
  return before === ';' || (before === ',' && part.some(({ text }) => text === '/'));
}
