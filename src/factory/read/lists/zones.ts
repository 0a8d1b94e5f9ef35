import { clauseAt } from '../clauses.ts';

import { clauseZones } from './clause-zones.ts';
import { eachAt } from './each.ts';
import { isExtra } from './extras.ts';
import { introAt, isClausal, maxBareTokens, namesApp } from './intros.ts';
import { isRelative, partsOf } from './parts.ts';

import { endsSentence, type ListContext, range, type Zone } from './zone.ts';

/** Where lists may stand: behind what introduces them, in sentences of nothing but short things, and among questions. */
export function zonesOf(context: ListContext, depths: readonly number[]): Zone[] {
  const told = toldZones(context, depths);
  const asked = clauseZones(context, depths, told);
  const kept = told.filter((zone) => !asked.some(({ from, to }) => zone.from < to && from < zone.to));
  const zones = [...kept, ...asked];
  const added = addedZones(context, zones);
  return [...zones, ...added]
    .toSorted((a, b) => a.from - b.from)
    .map((found) => stopped(found, context, depths));
}

function toldZones(context: ListContext, depths: readonly number[]): Zone[] {
  const { tokens } = context;
  const zones: Zone[] = [];
  let zone: Zone = { intro: '', from: 0, to: 0 };
  let commas = 0;
  let leading = true;
  let lead: readonly [number, number] | null = null;
  const begin = (intro: string, from: number) => {
    if (zone.to > zone.from && (!leading || isBare(zone, context, depths))) zones.push(zone);
    zone = { intro, from, to: from, lead };
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
      lead = null;
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
    const final = verbFinalZone(context, depths, index, zone.from);
    if (final) {
      zones.push({ ...final, lead });
      zone = { intro: '', from: index + 1, to: index + 1 };
      commas = 0;
      continue;
    }
    const each = eachAt(context, depths, index, commas === 0 || isClausal(context, index));
    if (each) {
      lead = each.lead;
      const comma = tokens.findLastIndex(({ text }, at) => at < index && at > zone.from && text === ',');
      if (commas > 0 && comma > 0) zone.to = comma;
      begin(each.intro, each.to);
      index = each.to - 1;
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

/** Behind a comma or an “and”, where an item begins. */
const isParted = (index: number, { tokens, lexicon }: ListContext) =>
  tokens[index - 1]?.text === ',' || lexicon.and.has(tokens[index - 1]?.lower ?? '');

/** A zone without the clause that follows its items: “… and notes so the treasurer can see”. */
function stopped(zone: Zone, context: ListContext, depths: readonly number[]): Zone {
  const { tokens, lexicon } = context;
  const partEnd = (from: number) =>
    range(from, zone.to).find((at) => depths[at] === 0 && tokens[at]?.text === ',') ?? zone.to;
  const { stops, joiners } = lexicon;
  for (let index = zone.from + 1; index < zone.to; index += 1) {
    if ((depths[index] ?? 0) > 0) continue;
    if (isParted(index, context) && isExtra(tokens, index, partEnd(index), lexicon))
      return { ...zone, to: index - 1 };
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

/** Sentences behind a list that only add a thing to it: “oh, and the weight please”, “außerdem das Gewicht”. */
function addedZones({ tokens, lexicon }: ListContext, zones: readonly Zone[]): Zone[] {
  const first = Math.min(...zones.map(({ to }) => to));
  return tokens.flatMap((_, index): Zone[] => {
    if (index <= first || !endsSentence(tokens, index - 1)) return [];
    if (zones.some(({ from, to }) => from <= index && index < to)) return [];
    let from = index;
    while (lexicon.also.at(tokens, from) || tokens[from]?.text === ',') from += 1;
    if (from === index) return [];
    let to = from;
    while (isPart(to)) to += 1;
    const nouns = tokens.slice(from, to).filter(({ pos }) => pos === 'noun');
    const whole = to >= tokens.length || endsSentence(tokens, to) || isPolite(to);
    return nouns.length > 0 && whole ? [{ intro: lexicon.data.fields[0] ?? '', from, to, adds: true }] : [];
  });

  function isPart(index: number): boolean {
    const { pos = 'mark', lower = '' } = tokens[index] ?? {};
    return ['determiner', 'noun', 'name', 'adjective'].includes(pos) && !lexicon.fillers.has(lower);
  }

  function isPolite(index: number): boolean {
    const token = tokens[index];
    return (
      token?.text === ',' ||
      token?.pos === 'adverb' ||
      lexicon.asking.has(token?.lower ?? '') ||
      lexicon.fillers.has(token?.lower ?? '')
    );
  }
}

/**
 * German puts the verb behind what is noted: “ich möchte Datum, Strecke und Wetter eintragen können”. What stands before
 * the verb, from behind the one who wants it on, is the list.
 *
 * @param least where the list begins at the earliest
 */
function verbFinalZone(
  context: ListContext,
  depths: readonly number[],
  index: number,
  least: number,
): Zone | null {
  const { tokens, lexicon } = context;
  const verb = tokens[index];
  const isVerb = verb?.pos === 'verb' || (verb?.pos === 'noun' && verb.text === verb.lower);
  if (lexicon.lang !== 'de' || !verb || !isVerb || !lexicon.with.has(verb.lower)) return null;
  const next = tokens[index + 1];
  const last = !next || endsSentence(tokens, index + 1) || next.pos === 'verb' || next.text === ',';
  if (!last) return null;
  let begin = index;
  while (begin > 0 && !endsSentence(tokens, begin - 1) && tokens[begin - 1]?.text !== ':') begin -= 1;
  const inside = (at: number) => depths[at] === 0;
  const separators = range(begin, index).filter(
    (at) => inside(at) && (tokens[at]?.text === ',' || lexicon.and.has(tokens[at]?.lower ?? '')),
  );
  const who = range(begin, index).findLast((at) => inside(at) && isClause(at));
  const from = Math.max(least, who === undefined ? begin : who + 1);
  const parts = separators.filter((at) => at > from);
  if (parts.length === 0 || tokens[from]?.pos === 'preposition') return null;
  return { intro: lexicon.data.fields[0] ?? '', from, to: index };

  /** Somebody, or what he wants: “ich möchte”, “es soll”, “man kann”. */
  function isClause(at: number): boolean {
    const { pos = 'mark', lower = '' } = tokens[at] ?? {};
    return pos === 'pronoun' || (pos === 'verb' && (lexicon.closed.has(lower) || lexicon.asking.has(lower)));
  }
}
