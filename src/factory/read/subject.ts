import { type CueTable, endOf } from './cues.ts';
import type { Phrase, Token } from './draft.ts';
import type { CueFound, KindFound } from './kind-of.ts';
import { pluralOf } from './language-data.ts';
import type { Lexicon } from './lexicon.ts';
import { capitalised } from './parts/naming.ts';
import { type NounPhrase, nounPhraseAt } from './request.ts';

interface SubjectContext {
  readonly prompt: string;
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
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
  const own = isThing(head);
  return (
    (own
      ? phraseOf(
          extended(
            object ?? { from: head?.from ?? 0, to: head?.to ?? 0, head: (head?.to ?? 1) - 1 },
            context,
          ),
          context,
        )
      : null) ??
    fromCompound(head, context) ??
    (object && lexicon.lang === 'en' ? modifiers(object, head, context) : null) ??
    complement(Math.max(object?.head ?? 0, (head?.to ?? 1) - 1) + 1, context) ??
    thingIn(context) ??
    (context.keeps ? withinCue(head, context) : null) ??
    (object && !lexicon.generic.has(tokens[object.head]?.lower ?? '') && !head
      ? phraseOf(object, context)
      : null)
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
  const phrase = found.to - found.from > 2 ? nounPhraseAt(tokens, found.from + 2, lexicon) : null;
  return phrase && phraseOf(phrase, context);
}

/** `Ausgabenliste` is a list of Ausgaben. */
function fromCompound(found: CueFound | null, { lexicon, tokens }: SubjectContext): Phrase | null {
  if (!found || found.front.length < 3) return null;
  const token = tokens[found.from];
  if (!token) return null;
  const plain = found.front.replace(/(?<=ung|heit|keit|schaft|ion|tät|kauf|tag)s$/, '');
  return worded(
    capitalised(plain, lexicon.lang),
    token.start,
    token.start + found.front.length,
    plain.toLowerCase(),
    lexicon,
  );
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
  const phrase = nounPhraseAt(tokens, start + 1 + infinitive, lexicon);
  return phrase && phraseOf(extended(phrase, context), context);
}

/** Complements of nouns belong to them, and two names to each other: `libros de cocina`, `Anna and Tom`. */
function extended(phrase: NounPhrase, { tokens, lexicon, kind }: SubjectContext): NounPhrase {
  const link = tokens[phrase.to]?.lower ?? '';
  const isLink = /^(?:von|de|di|d'|des|du|do|da|dos|das|del|della|dei|degli|delle|dell')$/.test(link);
  const next = isLink && lexicon.lang !== 'en' ? nounPhraseAt(tokens, phrase.to + 1, lexicon) : null;
  const to = next && next.from - phrase.to <= 2 ? next.to : phrase.to;
  // German writes names as nouns; an event is for people.
  const isPerson = (pos?: string) =>
    pos === 'name' || (pos === 'noun' && lexicon.lang === 'de' && kind?.kind === 'event');
  const isPair = [to - 1, to + 1].every((index) => isPerson(tokens[index]?.pos));
  return { ...phrase, to: isPair && lexicon.and.has(tokens[to]?.lower ?? '') ? to + 2 : to };
}

function thingIn(context: SubjectContext): Phrase | null {
  const { kind, tokens, lexicon } = context;
  const thing = kind?.cues.find(({ cues }) => cues.some((cue) => cue.class === 'things'));
  const phrase = thing && nounPhraseAt(tokens, thing.from, lexicon);
  return phrase ? phraseOf(phrase, context) : null;
}

/** A noun phrase with its singular and plural, without words that ask or are generic at its edges. */
export function phraseOf(
  { from, to, head }: NounPhrase,
  { tokens, lexicon, prompt }: Pick<SubjectContext, 'tokens' | 'lexicon' | 'prompt'>,
): Phrase | null {
  let first = from;
  let last = to;
  const empty = (index: number) =>
    lexicon.generic.has(tokens[index]?.lower ?? '') ||
    lexicon.data.dark.includes(tokens[index]?.lower ?? '') ||
    lexicon.fillers.has(tokens[index]?.lower ?? '');
  while (first < last && empty(first)) first += 1;
  while (last > first && empty(last - 1)) last -= 1;
  const [start, end] = [tokens[first]?.start, tokens[last - 1]?.end];
  if (first >= last || start === undefined || end === undefined) return null;
  const at = Math.min(Math.max(head, first), last - 1);
  const noun = tokens[at];
  if (!noun) return null;
  const text = prompt.slice(start, end);
  const proper = noun.pos === 'name';
  const one = proper ? noun.text : cased(noun, noun.lemma);
  const many = proper
    ? noun.text
    : noun.lemma === noun.lower
      ? cased(noun, pluralOf(noun.lemma, lexicon.data))
      : noun.text;
  const around = (word: string) =>
    `${prompt.slice(start, noun.start)}${word}${prompt.slice(noun.end, end)}`.slice(0, 60);
  return { text, start, end, head: noun.lemma, singular: around(one), plural: around(many) };
}

const cased = ({ text }: Token, word: string) =>
  /^\p{Lu}/u.test(text) ? word.slice(0, 1).toUpperCase() + word.slice(1) : word;

function worded(text: string, start: number, end: number, head: string, { data, lang }: Lexicon): Phrase {
  const known = data.irregular[head];
  const singular = known ? capitalised(known, lang) : text;
  const plural = known ? text : capitalised(pluralOf(head, data), lang);
  return { text, start, end, head: known ?? head, singular, plural };
}
