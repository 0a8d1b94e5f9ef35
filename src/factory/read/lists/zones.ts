import { clauseAt } from '../clauses.ts';

import { clauseZones } from './clause-zones.ts';
import { introAt, maxBareTokens, namesApp } from './intros.ts';
import { isRelative, partsOf } from './parts.ts';

import { endsSentence, type ListContext, range, type Zone } from './zone.ts';

/** Where lists may stand: behind what introduces them, in sentences of nothing but short things, and among questions. */
export function zonesOf(context: ListContext, depths: readonly number[]): Zone[] {
  const told = toldZones(context, depths);
  const asked = clauseZones(context, depths, told);
  const kept = told.filter((zone) => !asked.some(({ from, to }) => zone.from < to && from < zone.to));
  return [...kept, ...asked]
    .toSorted((a, b) => a.from - b.from)
    .map((found) => stopped(found, context, depths));
}

function toldZones(context: ListContext, depths: readonly number[]): Zone[] {
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
    const named = namesApp(context, index);
    if (named > 0) {
      begin('', index + named);
      leading = true;
      index += named - 1;
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
  return zones;
}

/** A later sentence that is nothing but short things side by side. */
function isBare(zone: Zone, context: ListContext, depths: readonly number[]): boolean {
  if (zone.from === 0) return false;
  const parts = partsOf(zone, context, depths);
  return parts.length > 2 && parts.every((part) => isShort(part, context, depths));
}

/** A noun with little around it, or an indirect question. */
function isShort(
  [from, to]: readonly [number, number],
  { tokens, lexicon }: ListContext,
  depths: readonly number[],
): boolean {
  if (clauseAt(tokens, from, lexicon)) return true;
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
    // “… , when it came back and where I keep it” are items.
    if ((fresh || zone.asks) && [index, index + 1].some((at) => clauseAt(tokens, at, lexicon))) continue;
    // “the species that we see, the place, …” goes on.
    const goesOn = tokens
      .slice(index, zone.to)
      .some(({ text }, offset) => text === ',' && depths[index + offset] === 0);
    const clause = tokens[index]?.pos === 'conjunction' && !goesOn && !zone.asks;
    if (fresh || clause) return { ...zone, to: fresh ? index - 1 : index };
  }
  return zone;
}
