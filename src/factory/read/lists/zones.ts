import { isRelative, partsOf } from './parts.ts';
import { endsSentence, type ListContext, range, type Zone } from './zone.ts';

/** A short thing has so many words at most. */
const maxBareTokens = 4;

const maxHeading = 5;

const minEnumerated = 3;

/** Where lists may stand: behind what introduces them, and in sentences of nothing but short things. */
export function zonesOf(context: ListContext, depths: readonly number[]): Zone[] {
  const { tokens } = context;
  const zones: Zone[] = [];
  let zone: Zone = { intro: '', from: 0, to: 0 };
  let commas = 0;
  let leading = true;
  const begin = (intro: string, from: number) => {
    if (zone.to > zone.from && (!leading || isBare(zone, context, depths))) zones.push(zone);
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
    const intro = introAt(context, index, commas);
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

/** A later sentence that is nothing but short things side by side. */
function isBare(zone: Zone, context: ListContext, depths: readonly number[]): boolean {
  if (zone.from === 0) return false;
  const parts = partsOf(zone, context, depths);
  return parts.length > 2 && parts.every((part) => isShort(part, context, depths));
}

/** A noun with little around it. */
function isShort(
  [from, to]: readonly [number, number],
  { tokens, lexicon }: ListContext,
  depths: readonly number[],
): boolean {
  if (range(from, to).some((index) => lexicon.yesNo.at(tokens, index))) return true;
  const outside = range(from, to).filter((index) => depths[index] === 0);
  return (
    outside.length <= maxBareTokens &&
    outside.every((index) => {
      const token = tokens[index];
      if (!token || token.pos === 'pronoun') return false;
      return token.pos !== 'verb' || !(lexicon.closed.has(token.lower) || lexicon.asking.has(token.lower));
    })
  );
}

/** A zone without the clause that follows its items: “… and notes so the treasurer can see”. */
function stopped(zone: Zone, context: ListContext, depths: readonly number[]): Zone {
  const { tokens, lexicon } = context;
  const { stops, joiners } = lexicon;
  for (let index = zone.from + 1; index < zone.to; index += 1) {
    if ((depths[index] ?? 0) > 0) continue;
    if (!stops.at(tokens, index)) continue;
    // Without its accent “où” is “ou”.
    if (joiners.has(tokens[index]?.lower ?? '') && !isRelative(tokens, index, lexicon)) continue;
    const before = tokens[index - 1];
    // Items of lines begin with anything.
    if (before?.text === ';') continue;
    const fresh =
      before?.text === ',' || (joiners.has(before?.lower ?? '') && !isRelative(tokens, index - 1, lexicon));
    // “the species that we see, the place, …” goes on.
    const goesOn = tokens
      .slice(index, zone.to)
      .some(({ text }, offset) => text === ',' && depths[index + offset] === 0);
    const clause = tokens[index]?.pos === 'conjunction' && !goesOn;
    if (fresh || clause) return { ...zone, to: fresh ? index - 1 : index };
  }
  return zone;
}

/** A colon, a dash with spaces, or a word that introduces a list. */
function introAt(
  context: ListContext,
  index: number,
  commas: number,
): { readonly lemma: string; readonly length: number } | null {
  const { prompt, tokens, lexicon } = context;
  const token = tokens[index];
  if (!token) return null;
  const next = tokens[index + 1];
  if (token.text === ':' && isInItem(context, index)) return null;
  const dash = /^[-–—=]$/.test(token.text) && prompt[token.start - 1] === ' ' && prompt[token.end] === ' ';
  if ((token.text === ':' && next?.start !== token.end) || (dash && commas === 0 && token.text !== '=')) {
    const before = tokens
      .slice(Math.max(0, index - 3), index)
      .findLast(({ pos }) => pos === 'noun' || pos === 'name');
    const last = tokens[index - 1];
    // “Please bring: …”.
    const verb = last?.pos === 'verb' && !lexicon.closed.has(last.lower) ? last : null;
    return { lemma: (verb ?? before)?.lemma ?? '', length: 1 };
  }
  if (token.text === ':' && next && !/^\d/.test(next.text))
    return { lemma: tokens[index - 1]?.lemma ?? '', length: 1 };
  // “Date, with food or not, taken” goes on.
  const affirmed = [1, 2, 3, 4].some((step) => lexicon.yesNo.at(tokens, index + step));
  if (commas > 0 && affirmed && lexicon.with.at(tokens, index)) return null;
  if (token.text === '(' || token.text === '[') return { lemma: tokens[index - 1]?.lemma ?? '', length: 1 };
  const needs =
    commas === 0 &&
    token.pos === 'verb' &&
    lexicon.asking.has(token.lower) &&
    next?.pos === 'noun' &&
    tokens.slice(0, index).some((_, at) => endsSentence(tokens, at)) &&
    isEnumerated(context, index + 1);
  if (needs) return { lemma: lexicon.data.fields[0] ?? '', length: 1 };
  // “The note” is a field, “note the date” introduces one.
  const isNoun =
    token.pos !== 'verb' &&
    next?.pos !== 'determiner' &&
    (lexicon.data.types.longtext ?? []).includes(token.lower);
  const by = isNoun ? null : lexicon.with.at(tokens, index);
  // “…, columns red, green and blue”.
  const heads =
    tokens[index - 1]?.text === ',' &&
    (lexicon.entries.at(tokens, index) || lexicon.fields.at(tokens, index)) &&
    isEnumerated(context, index + 1);
  const opens = by && (tokens[index - 1]?.text === ',' || token.pos === 'verb');
  if (commas > 0 && !opens && !heads) return null;
  if (by) {
    const skip = tokens[index + by.length]?.pos === 'determiner' ? 1 : 0;
    const noun = tokens[index + by.length + skip];
    const fields = lexicon.fields.at(tokens, index + by.length + skip);
    const follows = tokens[index + by.length + skip + 1];
    if (fields && noun && follows && (follows.text === ':' || follows.pos !== 'mark'))
      return { lemma: noun.lemma, length: by.length + skip + 1 + (follows.text === ':' ? 1 : 0) };
    return { lemma: token.lower, length: by.length };
  }
  const named = lexicon.fields.at(tokens, index) ?? lexicon.entries.at(tokens, index);
  if (!named || !next) return null;
  // “By columns, Received, Cut and Ready”.
  const apposed = next.text === ',' && lexicon.fields.has(token.lower) && isEnumerated(context, index + 2);
  if (apposed) return { lemma: token.lemma, length: 2 };
  if (['mark', 'preposition', 'verb', 'conjunction', 'pronoun'].includes(next.pos)) return null;
  // “Name des Kindes” is a name, no list of names.
  if (next.pos === 'determiner' && !lexicon.fields.has(token.lower)) return null;
  return /s$|[ei]n?$|i$/.test(token.lower) ? { lemma: token.lemma, length: 1 } : null;
}

/** A colon behind the label of an item, before what it may be: “status: open, done; size: S, M”. */
function isInItem({ tokens }: ListContext, index: number): boolean {
  const mark = tokens.findLastIndex(({ text }, at) => at < index && /^[,;:.!?]$/.test(text));
  if (mark < 0 || index - mark > maxHeading) return false;
  let end = index;
  while (end + 1 < tokens.length && !endsSentence(tokens, end + 1)) end += 1;
  let begin = index;
  while (begin > 0 && !endsSentence(tokens, begin - 1)) begin -= 1;
  const texts = tokens.slice(begin, end + 1).map(({ text }) => text);
  if (texts.includes(';')) return tokens[mark]?.text === ';' || tokens[mark]?.text === ':';
  const rest = tokens.slice(index + 1, end + 1).map(({ text }) => text);
  const next = rest.indexOf(',');
  return tokens[mark]?.text === ',' && rest.slice(0, next < 0 ? undefined : next).includes('/');
}

/** Whether short things stand side by side from a token to the end of its sentence. */
function isEnumerated({ tokens, lexicon }: ListContext, from: number, most = maxBareTokens): boolean {
  let things = 1;
  let length = 0;
  for (let index = from; index < tokens.length && !endsSentence(tokens, index); index += 1) {
    const { text = '', lower = '', pos = 'mark' } = tokens[index] ?? {};
    if (text === ',' || lexicon.joiners.has(lower)) {
      things += 1;
      length = 0;
    } else length += 1;
    if (length > most || pos === 'pronoun') return things > minEnumerated;
  }
  return things >= minEnumerated;
}
