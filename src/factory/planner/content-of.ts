import type { Entity, Lang, Question, Section, SeedRow, TemplateName } from '../spec.ts';
import type { Assumption } from './assumptions.ts';
import { cardsOf, neutralCards } from './content/board-cards.ts';
import { pageTexts } from './content/texts.ts';
import { unitsIn } from './converter-units.ts';
import { dashboardFigures } from './dashboard.ts';
import { type Kept, keptThing } from './entity.ts';
import { type EntityFound, entityIn } from './entity-in.ts';
import { featuresOf } from './features.ts';
import { numbered } from './fields.ts';
import { formContent } from './form.ts';
import { statedHabits } from './habits.ts';
import { type DraftField, fieldFrom, lexiconField } from './item.ts';
import { listTexts } from './lists.ts';
import { quizContent } from './quiz.ts';
import { seedFor, seedOf } from './seed.ts';
import { splitList } from './split.ts';
import { withoutStyle } from './style.ts';
import { capitalised, inLang, shortened } from './text.ts';
import { words } from './words.ts';

/** The content of an app besides its frame. */
export interface Content {
  readonly entity: Entity | null;
  readonly layout: string;
  readonly seed: readonly SeedRow[];
  readonly questions: readonly Question[];
  readonly sections: readonly Section[];
  readonly copy: Readonly<Record<string, string>>;
  readonly accent: string | null;
  readonly said: readonly Assumption[];
}

const nothing: Content = {
  entity: null,
  layout: '',
  seed: [],
  questions: [],
  sections: [],
  copy: {},
  accent: null,
  said: [],
};

/** What the tools begin with: their entity and first entries, questions, notes. Sites have theirs in site.ts. */
export function contentOf(
  template: TemplateName,
  variant: string,
  prompt: string,
  lang: Lang,
  found: EntityFound | null,
  entries: readonly string[] = [],
): Content {
  if (template === 'tracker') {
    // “Umzugsplaner”: tasks of a subject that we know.
    const tasks = !found && plan.test(prompt) && cardsOf(prompt, words) ? entityIn('task') : null;
    return tracked(keptThing(prompt, lang, found ?? tasks, entries), prompt, lang);
  }
  if (template === 'board') return board(prompt, lang, found);
  if (template === 'dashboard') {
    const { divided, ...figures } = dashboardFigures(prompt, lang);
    return { ...nothing, ...figures, accent: '#4f46e5', said: divided ? ['split', 'seed'] : ['seed'] };
  }
  if (template === 'quiz' || template === 'flashcards')
    return { ...nothing, ...quizContent(prompt, lang, template === 'flashcards') };
  if (template === 'form') return { ...nothing, ...formContent(variant, prompt, lang), accent: '#0f8a8a' };
  if (template === 'habits') {
    const own = statedHabits(prompt, lang);
    return {
      ...nothing,
      sections: [listOf(own ?? inLang(pageTexts.habitItems, lang).split(';'))],
      said: [own ? 'ownEntries' : 'seed'],
    };
  }
  if (template === 'notes') return notes(variant, lang);
  if (template === 'converter') return converter(prompt);
  if (template === 'calculator' && variant === 'quote')
    return { ...nothing, sections: [listOf(inLang(pageTexts.quoteLines, lang).split(';'))], said: ['seed'] };
  return nothing;
}

/** Opens on the units that were named. */
function converter(prompt: string): Content {
  const units = unitsIn(prompt);
  if (!units) return nothing;
  return {
    ...nothing,
    copy: { from: units.from, ...(units.to ? { to: units.to } : {}) },
    said: units.mixed ? ['units'] : [],
  };
}

const plan = words('\\p{L}*plan(?:ner|er|ning|ung)?|checklist\\p{L}*|checkliste|planificador|planificateur');

const listOf = (titles: readonly string[]): Section => ({
  type: 'items',
  title: '–',
  items: titles.map((title) => ({ title })),
});

/** Things that a board or a list of tasks is made of, and that its subject tells more about. */
const plainThings = ['task', 'project', 'idea', 'chore', 'goal', 'trip', 'post', 'bug'];

/** The entity with examples of the subject in place of its own: “Taste the cake” on the board for a wedding. */
function withCards(kept: Kept, prompt: string): Kept {
  if (!kept.entry || !plainThings.includes(kept.entry.id)) return kept;
  const defaultCards = kept.entry.id === 'task' ? neutralCards : kept.entry.seeds;
  return { ...kept, entry: { ...kept.entry, seeds: cardsOf(prompt, words) ?? defaultCards } };
}

function tracked(kept: Kept, prompt: string, lang: Lang): Content {
  const due = featuresOf('tracker', kept.layout, prompt, kept.entity).includes('due');
  const subject = kept.entry?.id === 'task' && cardsOf(prompt, words) !== null;
  // What an inventory holds depends on whose it is: notebooks and lamps are wrong for a garage.
  const foreign = kept.foreign || (kept.entry?.id === 'product' && ownStock.test(prompt));
  const own = { ...kept, foreign };
  const examples =
    kept.entries.length > 0 ? [] : seedFor(subject ? withCards(own, prompt) : own, prompt, lang, due);
  const seed = kept.entries.length > 0 ? seedOf(kept) : examples;
  const said: Assumption[] = [
    ...(kept.entry || kept.stated ? [] : ['unknownThing' as const]),
    ...(kept.stated ? [] : ['fields' as const]),
    ...(kept.entry?.id === 'sharedexpense' ? ['shares' as const] : []),
    ...(examples.length > 0 ? ['seed' as const] : []),
    ...(kept.entries.length > 0 ? ['ownEntries' as const] : []),
  ];
  return {
    ...nothing,
    entity: kept.entity,
    layout: kept.layout,
    seed,
    accent: kept.entry?.accent ?? null,
    said,
  };
}

const ownStock =
  /(?<!\p{L})(?:for|of|in|für|von|para|de|pour|du)\s+(?:my|our|the|a|meine?[nrs]?|unsere?[nrs]?|mi|nuestr[oa]|el|la|mon|ma|notre|le)\s+(?!(?:small |kleines? )?(?:warehouse|shop|store|business|company|lager|laden|firma|tienda|almacén|empresa|magasin|entreprise|entrepôt)(?!\p{L}))\p{L}|:\s*\p{L}[^:]*,|(?<!\p{L})(?!(?:simple|small|product|products|warehouse|store|shop|office|an|the|my|our|app|basic|nice)\s)\p{L}{3,20} (?:inventory|stock)(?!\p{L})/iu;

function board(prompt: string, lang: Lang, found: EntityFound | null): Content {
  const columns = boardColumns(prompt, lang);
  const plain = columns ? prompt.replace(columns.text, '') : prompt;
  // “columns Idea, Draft” are not about ideas.
  const kept = keptThing(plain, lang, (columns ? entityIn(plain) : found) ?? entityIn('task'));
  const [first, ...others] = kept.drafts
    .filter((field) => field.concept !== 'done' && field.type !== 'select')
    .concat(kept.drafts.filter((field) => field.concept === 'priority'));
  const lanes =
    columns?.lanes ??
    kept.drafts.find((field) => field.concept === 'status')?.options ??
    inLang(pageTexts.columns, lang).split(',');
  const status: DraftField = { ...lexiconField('status', lang), options: lanes };
  const notes = others.some((field) => field.type === 'longtext') ? [] : [lexiconField('notes', lang)];
  const drafts = [first ?? lexiconField('task', lang), status, ...others, ...notes];
  const adapted: Kept = { ...kept, drafts, entity: { ...kept.entity, fields: numbered(drafts) } };
  // Spread over the lanes, the first of them holding the most.
  const seed = seedFor(withCards(adapted, prompt), prompt, lang, true).map((row, index, { length }) => ({
    ...row,
    f1: lanes[Math.floor((index * lanes.length) / length)] ?? '',
  }));
  return { ...nothing, entity: adapted.entity, seed, accent: kept.entry?.accent ?? null, said: ['seed'] };
}

/** “columns: Idea, Doing, Done”, or a list of words none of which is a known field. */
function boardColumns(prompt: string, lang: Lang): { lanes: string[]; text: string } | null {
  const { explicit, loose } = listTexts(prompt);
  const lanesOf = (text: string) =>
    withoutStyle(splitList(text)).map((item) =>
      capitalised(
        shortened(item.replace(/\s+(?:columns?|lanes?|spalten|columnas|colonnes)$/iu, ''), 40),
        lang,
      ),
    );
  if (explicit && splitList(explicit).length >= 2)
    return { lanes: [...new Set(lanesOf(explicit))].slice(0, 8), text: explicit };
  const list = loose.find((text) => {
    const items = splitList(text);
    const short = items.every((item) => item.split(/\s+/).length <= 3);
    const known = items.filter((item) => fieldFrom(item, lang)?.concept);
    return (
      items.length >= 2 &&
      short &&
      known.length < items.length / 2 &&
      /(?:done|doing|progress|review|backlog|fertig|erledigt|arbeit|hecho|curso|pendiente|fait|cours|faire|todo|to do|live|published|shipped)/iu.test(
        text,
      )
    );
  });
  return list ? { lanes: [...new Set(lanesOf(list))].slice(0, 8), text: list } : null;
}

function notes(variant: string, lang: Lang): Content {
  const lines = inLang(variant === 'journal' ? pageTexts.journalItems : pageTexts.noteItems, lang).split(';');
  const items = lines.map((line) => ({ title: line.split('~')[0] ?? '', text: line.split('~')[1] ?? '' }));
  return {
    ...nothing,
    sections: [{ type: 'items', title: '–', items }],
    accent: variant === 'journal' ? '#b0607a' : '#d9921e',
    said: ['seed'],
  };
}
