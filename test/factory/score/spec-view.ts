/** What the scorer knows of a spec. Whatever else is in it is looked at as texts, numbers, lists and things. */
export interface ScoredSpec {
  readonly kind: string;
  readonly variant: string;
  readonly name: string;
  readonly lang: string;
  readonly palette: { readonly accent: string; readonly mode: string };
  readonly currency: string;
  readonly entity: {
    readonly singular: string;
    readonly plural: string;
    readonly fields: readonly ScoredField[];
  } | null;
  readonly features: readonly string[];
  readonly hours?: readonly { readonly time: string }[];
  readonly contact?: { readonly email?: string; readonly phone?: string; readonly address?: string };
}

export interface ScoredField {
  readonly label: string;
  readonly type?: string;
  readonly required?: boolean;
  readonly options?: readonly unknown[];
  readonly total?: string;
}

/** One item, option, card or row, with the headings above it. */
export interface Thing {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

export interface SpecView {
  /** Every text that the app shows. */
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  readonly things: readonly Thing[];
  /** Every list, each of its entries with the texts of its own. */
  readonly lists: readonly (readonly (readonly string[])[])[];
  /** Whatever has a label: the fields of the entity, the inputs of a formula. */
  readonly fields: readonly ScoredField[];
  readonly prices: readonly string[];
}

/** Members that say how a spec is made and not what the app shows. What was supposed or not taken up is not there. */
const inner = new Set(
  'v kind variant lang palette currency key type total features assumptions notTakenUp unserved look icon format'.split(
    ' ',
  ),
);
const headings = ['title', 'label', 'name', 'heading', 'days', 'prompt'];
/** Longest text of a list that counts as one thing, in characters. */
const maxThing = 120;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Looks through a spec once. Takes any spec: it knows lists and texts, not members. */
export function viewOf(spec: ScoredSpec): SpecView {
  const view = {
    texts: [] as string[],
    numbers: [] as number[],
    things: [] as Thing[],
    lists: [] as string[][][],
    fields: [] as ScoredField[],
    prices: [] as string[],
  };
  visit(spec, []);
  return view;

  function visit(value: unknown, above: readonly string[]): void {
    if (typeof value === 'string') view.texts.push(value);
    else if (typeof value === 'number') view.numbers.push(value);
    else if (Array.isArray(value)) visitList(value, above);
    else if (isObject(value)) visitMembers(value, above);
  }

  function visitMembers(object: Json, above: readonly string[]): void {
    if (typeof object['label'] === 'string') view.fields.push(object as unknown as ScoredField);
    if (typeof object['price'] === 'string') view.prices.push(object['price']);
    for (const [member, value] of Object.entries(object)) if (!inner.has(member)) visit(value, above);
  }

  function visitList(list: readonly unknown[], above: readonly string[]): void {
    if (list.length > 0) view.lists.push(list.map((entry) => contents(entry).texts));
    for (const entry of list) {
      if (typeof entry === 'string' && entry.length <= maxThing)
        view.things.push({ texts: [entry, ...above], numbers: [] });
      if (isObject(entry) && !holdsObjects(entry)) {
        const { texts, numbers } = contents(entry);
        view.things.push({ texts: [...texts, ...above], numbers });
      }
      visit(entry, isObject(entry) ? [...above, ...headingsOf(entry)] : above);
    }
  }
}

const headingsOf = (entry: Json) =>
  headings.map((member) => entry[member]).filter((text): text is string => typeof text === 'string');

const holdsObjects = (entry: Json): boolean =>
  Object.values(entry).some((value) => Array.isArray(value) && value.some(isObject));

/** The texts and numbers of an entry itself, without those of the objects in its lists. */
function contents(entry: unknown): { texts: string[]; numbers: number[] } {
  if (typeof entry === 'string') return { texts: [entry], numbers: [] };
  if (typeof entry === 'number') return { texts: [], numbers: [entry] };
  const values = Array.isArray(entry)
    ? entry.filter((value) => !isObject(value))
    : isObject(entry)
      ? Object.entries(entry).flatMap(([member, value]) => (inner.has(member) ? [] : [value]))
      : [];
  const parts = values.map(contents);
  return { texts: parts.flatMap(({ texts }) => texts), numbers: parts.flatMap(({ numbers }) => numbers) };
}
