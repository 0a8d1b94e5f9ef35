import { type CueTable, endOf } from './cues.ts';
import type { Phrase, Token } from './draft.ts';
import type { CueFound, KindFound } from './kind-of.ts';
import { pluralOf } from './language-data.ts';
import type { TaggedPrompt } from './lexicon.ts';
import { capitalised } from './parts/naming.ts';
import { type NounPhrase, nounPhraseAt } from './request.ts';
import { spanFrom } from './spans.ts';

interface SubjectContext extends TaggedPrompt {
  readonly kind: KindFound | null;
  readonly object: NounPhrase | null;
  /** The kind keeps lists, whose names say of what: `to-do list`. */
  readonly keeps: boolean;
  readonly table: CueTable;
}

/**
 * What an app is about: the words before the head in English (`guitar pedal collection`) and the front of a compound in
 * German (`Ausgabenliste`), else the complement (`quiz about the planets`), else the head itself where it is a thing.
 */
export function subjectOf(context: SubjectContext): Phrase | null {
  const { object, kind, tokens, lexicon } = context;
  if (!object && !kind) return null;
  const head = headCue(context);
  const at = head && { from: head.from, to: head.to, head: head.to - 1 };
  const thing = isThing(head) ? (object ?? at) : null;
  const isGeneric = lexicon.generic.has(tokens[object?.head ?? -1]?.lower ?? '');
  return (
    (thing && phraseOf(extended(thing, context), context)) ??
    fromCompound(head, context) ??
    (object && lexicon.lang === 'en' ? modifiers(object, head, context) : null) ??
    complement(Math.max(object?.head ?? 0, at?.head ?? 0) + 1, context) ??
    thingIn(context) ??
    (context.keeps ? withinCue(head, context) : null) ??
    (object && !isGeneric && !head ? phraseOf(object, context) : null)
  );
}

const headCue = ({ kind, object }: SubjectContext): CueFound | null =>
  kind?.cues.find(
    ({ from, to, cues }) =>
      object !== null &&
      from <= object.head &&
      object.head < to &&
      cues.some((cue) => cue.kind === kind.kind && cue.class !== 'verbs'),
  ) ??
  kind?.cues.find(({ cues }) => cues.some((cue) => cue.kind === kind.kind && cue.class === 'heads')) ??
  null;

const isThing = (found: CueFound | null): boolean =>
  found?.cues.some((cue) => cue.class === 'subjects') ||
  (found !== null && found.front === '' && !found.cues.some((cue) => cue.class === 'heads'));

/** Of a cue of several words, those that are not its head: `to-do list`, `lista de tareas`, `Aufgabenliste`. */
function withinCue(found: CueFound | null, context: SubjectContext): Phrase | null {
  const { tokens, lexicon, table } = context;
  const token = found && tokens[found.from];
  if (!token) return null;
  if (lexicon.lang === 'en')
    return found.to - found.from > 1
      ? phraseOf({ from: found.from, to: found.to - 1, head: found.to - 2 }, context)
      : null;
  if (lexicon.lang === 'de') {
    const end = endOf(token.lower, table, 3);
    return end ? fromCompound({ ...found, front: token.text.slice(0, -end.length) }, context) : null;
  }
  const phrase = found.to - found.from > 2 ? nounPhraseAt(context, found.from + 2) : null;
  return phrase && phraseOf(phrase, context);
}

/** `Ausgabenliste` is a list of Ausgaben. */
function fromCompound(found: CueFound | null, { lexicon, tokens }: SubjectContext): Phrase | null {
  const token = tokens[found?.from ?? -1];
  if (!found || !token || found.front.length < 3) return null;
  const { data, lang } = lexicon;
  const plain = found.front.replace(/(?<=ung|heit|keit|schaft|ion|tät|kauf|tag)s$/, '');
  const text = capitalised(plain, lang);
  const lower = plain.toLowerCase();
  const known = data.irregular[lower];
  return {
    text,
    start: token.start,
    end: token.start + found.front.length,
    head: known ?? lower,
    singular: known ? capitalised(known, lang) : text,
    plural: known ? text : capitalised(pluralOf(lower, data), lang),
  };
}

function modifiers(object: NounPhrase, head: CueFound | null, context: SubjectContext): Phrase | null {
  // “Dr Meyer” is whole.
  if (!head && context.tokens[object.head]?.pos === 'name') return null;
  const to = Math.min(object.head, head && head.from >= object.from ? head.from : object.head);
  if (to <= object.from) return null;
  return phraseOf({ from: object.from, to, head: to - 1 }, context);
}

/** The noun phrase behind “for”, “about” or “of” behind the head. */
function complement(behind: number, context: SubjectContext): Phrase | null {
  const { tokens, lexicon } = context;
  // “Countdown to” has it within.
  const start = lexicon.about.has(tokens[behind - 1]?.lower ?? '') ? behind - 1 : behind;
  if (!lexicon.about.has(tokens[start]?.lower ?? '')) return null;
  // “para preparar la mudanza”: what is done with it is left out.
  // The Portuguese article “a” is a preposition, too.
  const first = tokens[start + 1];
  const infinitive = first?.pos === 'verb' || lexicon.data.determiners.includes(first?.lower ?? '') ? 1 : 0;
  const phrase = nounPhraseAt(context, start + 1 + infinitive);
  return phrase && phraseOf(extended(phrase, context), context);
}

/** Complements of nouns belong to them, and two names to each other: `libros de cocina`, `Anna and Tom`. */
function extended(phrase: NounPhrase, context: SubjectContext): NounPhrase {
  const { tokens, lexicon, kind } = context;
  const link = tokens[phrase.to]?.lower ?? '';
  const isLink = /^(?:von|de|di|d'|des|du|do|da|dos|das|del|della|dei|degli|delle|dell')$/.test(link);
  const next = isLink && lexicon.lang !== 'en' ? nounPhraseAt(context, phrase.to + 1) : null;
  const to = next && next.from - phrase.to <= 2 ? next.to : phrase.to;
  // German writes names as nouns; an event is for people.
  const isPerson = (pos?: string) =>
    pos === 'name' || (pos === 'noun' && lexicon.lang === 'de' && kind?.kind === 'event');
  const isPair = [to - 1, to + 1].every((index) => isPerson(tokens[index]?.pos));
  return { ...phrase, to: isPair && lexicon.and.has(tokens[to]?.lower ?? '') ? to + 2 : to };
}

function thingIn(context: SubjectContext): Phrase | null {
  const thing = context.kind?.cues.find(({ cues }) => cues.some((cue) => cue.class === 'things'));
  const phrase = thing && nounPhraseAt(context, thing.from);
  return phrase ? phraseOf(phrase, context) : null;
}

/** A noun phrase with its singular and plural, without words that ask or are generic at its edges. */
function phraseOf({ from, to, head }: NounPhrase, context: SubjectContext): Phrase | null {
  const { tokens, lexicon, prompt } = context;
  let first = from;
  let last = to;
  const empty = (index: number) => {
    const { lower = '' } = tokens[index] ?? {};
    return lexicon.generic.has(lower) || lexicon.data.dark.includes(lower) || lexicon.fillers.has(lower);
  };
  while (first < last && empty(first)) first += 1;
  while (last > first && empty(last - 1)) last -= 1;
  const at = Math.min(Math.max(head, first), last - 1);
  const noun = tokens[at];
  if (!noun || first >= last) return null;
  const span = spanFrom(context, first, last);
  const proper = noun.pos === 'name';
  const one = proper ? noun.text : cased(noun, noun.lemma);
  const isOne = !proper && noun.lemma === noun.lower;
  const many = isOne ? cased(noun, pluralOf(noun.lemma, lexicon.data)) : noun.text;
  const around = (word: string) =>
    `${prompt.slice(span.start, noun.start)}${word}${prompt.slice(noun.end, span.end)}`.slice(0, 60);
  return { ...span, head: noun.lemma, singular: around(one), plural: around(many) };
}

const cased = ({ text }: Token, word: string) =>
  /^\p{Lu}/u.test(text) ? word.slice(0, 1).toUpperCase() + word.slice(1) : word;
