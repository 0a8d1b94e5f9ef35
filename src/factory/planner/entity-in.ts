import { withoutAudience } from './audience.ts';
import type { EntityEntry } from './lexicon/entities/entry.ts';
import { measuringEntities } from './lexicon/entities/measuring.ts';
import { planningEntities } from './lexicon/entities/planning.ts';
import { entities } from './lexicon/entities.ts';
import { words } from './words.ts';

export interface EntityFound {
  /** What the lexicon knows of it; null for a thing that only the prompt names. */
  readonly entry: EntityEntry | null;
  /** Singular and plural as the prompt has them, where it says outright what it keeps. */
  readonly names?: readonly [string, string];
  /** Where it is mentioned, from 0 to 1. */
  readonly at: number;
  readonly text: string;
  /** It is measured from day to day, such as sleep. */
  readonly measured: boolean;
}

/** Their entries are called by names that mean much else: “reading”, “class”, “day”. */
const namelessEntries = new Set([...measuringEntities, ...planningEntities]);

const patterns = entities.map((entry) => {
  const names = namelessEntries.has(entry) ? [] : entry.names.split(/[|/]/);
  const all = [
    ...new Set([
      ...names,
      ...entry.words
        .split(' ')
        .map((word) => word.replaceAll('-', '[ -]').replaceAll('*', '[^.,]{1,25}').replaceAll('’', "[’']")),
      ...names.flatMap(germanHead),
    ]),
  ].filter(Boolean);
  return {
    entry,
    pattern: words(
      all
        .map((word) => word.toLowerCase())
        .sort((a, b) => b.length - a.length)
        .join('|'),
    ),
  };
});

/** German joins words: “Rezept” is also found in “Rezeptsammlung”. */
function germanHead(name: string): string[] {
  return name.length > 4 && /^\p{Lu}/u.test(name)
    ? [
        `${name.toLowerCase()}s?-?(?:liste|tracker|verwaltung|sammlung|planer|app|buch|tagebuch|übersicht|manager|datenbank|kalender)`,
      ]
    : [];
}

/** A word for the thing itself counts as if it stood this much earlier than one that only suggests it. */
const ownName = 25;

/** What stands behind “for my” is rarely what it is about. */
const forWhom =
  /(?<!\p{L})(?:for|für|para|pour)\s(?:(?:my|our|the|meine?[nrs]?|unsere?[nrs]?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos)\s)?$/iu;

/** Where a list of fields begins: what is measured there is a field, not what the app is about. */
const listStart =
  /(?<!\p{L})(?:with|mit|con|avec|fields?|felder|columns?|spalten|campos|champs)(?!\p{L})|:|\s[-–—]\s(?=[^,.!?]{2,60},)/iu;

/** Words that only say that there are many of what stands before: “recipe book”, “photo gallery”. */
const holder =
  /^(?:books?|library|collections?|records?|gallery|agenda|cookbook|cards?|clubs?|shops?|places|people|calendar|school|apartment|house|home)$/iu;

/** Words that only say that things are kept: “inventory of wines”, “agenda de clientes”. */
const keeper =
  /^(?:inventory|stock|collection|library|calendar|agenda|list|sammlung|bibliothek|inventar|kalender|colección|inventario|biblioteca|inventaire|bibliothèque)$/iu;

type Match = { readonly at: number; readonly text: string };

/**
 * Whether the first is what a phrase is about and the second only tells more of it. In English the last of two nouns
 * is: “car expenses”, “restaurant inventory”; before a preposition it is the first: “lista de deseos de cumpleaños”.
 */
function leads(lead: Match, other: Match, text: string): boolean {
  if (lead.at === other.at + other.text.length + 1)
    return /[ -]/u.test(text[lead.at - 1] ?? '') && !holder.test(lead.text);
  const gap = lead.at < other.at ? text.slice(lead.at + lead.text.length, other.at) : '';
  return /^ (?:de|del|d[’']|of) ?$/iu.test(gap) && !keeper.test(lead.text);
}

/** What stands before the list of fields: what is in the list belongs to the thing and is not the thing. */
export function beforeList(prompt: string): string {
  const at = prompt.search(listStart);
  return at > 0 ? prompt.slice(0, at) + ' '.repeat(prompt.length - at) : prompt;
}

/** The thing that a prompt wants to keep track of: of several, the one mentioned first. */
export function entityIn(prompt: string): EntityFound | null {
  const text = withoutAudience(prompt);
  const list = text.search(listStart);
  const found = patterns.flatMap(({ entry, pattern }) => {
    const match = pattern.exec(text);
    if (!match) return [];
    if (list > 0 && match.index > list && measuringEntities.includes(entry)) return [];
    const named =
      !namelessEntries.has(entry) &&
      [entry.id, ...entry.names.toLowerCase().split(/[|/]/)].includes(match[0].toLowerCase());
    // “A budget for students” is about the budget.
    const audience = named && forWhom.test(text.slice(Math.max(match.index - 24, 0), match.index));
    return [
      {
        entry,
        at: match.index,
        text: match[0],
        rank: match.index + (audience ? ownName : named ? -ownName : 0),
      },
    ];
  });
  const whole = found.filter(
    (one) =>
      !found.some(
        (other) =>
          other.text.length > one.text.length &&
          other.at <= one.at &&
          other.at + other.text.length >= one.at + one.text.length,
      ),
  );
  const heads = whole.filter((one) => !whole.some((other) => other !== one && leads(other, one, text)));
  const [first] = heads.sort((a, b) => a.rank - b.rank || b.text.length - a.text.length);
  return first
    ? {
        entry: first.entry,
        at: first.at / prompt.length,
        text: first.text,
        measured: measuringEntities.includes(first.entry),
      }
    : null;
}
