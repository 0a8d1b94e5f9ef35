/** What a person does with an app, one thing at a time: it is done to the app before it is delivered. */
export type Step =
  /** A field, by its label. */
  | { readonly fill: string; readonly with: string }
  /** An option of a list or a group, by its text; `in` is the label of the list where there are several. */
  | { readonly choose: string; readonly in?: string }
  /** A button, a link, a checkbox or whatever else can be pressed, by its name. */
  | { readonly press: string }
  /** A key, by its name in `KeyboardEvent.key`. */
  | { readonly key: string }
  /** A text that is to be seen, in the page or in a field. */
  | { readonly see: string }
  /** A text that is not to be seen any more. */
  | { readonly gone: string }
  /** The page is opened again; what lasts is to be there. */
  | { readonly reload: true }
  /** A step that cannot be read. It is reported, and nothing is made of it. */
  | { readonly unclear: string };

/** Something that must be so, with the steps that show it; begins on a page that nobody has used. */
export interface Must {
  readonly say: string;
  readonly steps: readonly Step[];
}

/** Another sort of things that an app keeps, beside that of its spec. */
export interface FurtherEntity {
  readonly singular: string;
  readonly plural: string;
  readonly fields: readonly { readonly label: string; readonly type: string }[];
}

/** What a plan says of an app beside its spec: for whoever writes its files, checks and repairs them. */
export interface Design {
  /** What a person does, from the beginning to the end, a line each. */
  readonly flows: readonly string[];
  /** What can be seen when: empty, wrong, many. */
  readonly states: readonly string[];
  readonly must: readonly Must[];
  readonly entities: readonly FurtherEntity[];
  /** Where the request contradicts itself or the calendar. */
  readonly conflicts: readonly string[];
}

/** Most of each, and the length of each text, in characters. */
export const designLimits = {
  lines: 8,
  line: 200,
  must: 8,
  steps: 10,
  text: 120,
  entities: 4,
  fields: 16,
} as const;

/** The design in what a model has answered, which may have said anything: what cannot be read is left out. */
export function designIn(answer: Readonly<Record<string, unknown>>): Design {
  return {
    flows: lines(answer['flows']),
    states: lines(answer['states']),
    conflicts: lines(answer['conflicts']),
    must: listOf(answer['must'], designLimits.must).flatMap(mustOf),
    entities: listOf(answer['entities'], designLimits.entities).flatMap(entityOf),
  };
}

function mustOf(given: unknown): Must[] {
  const { say, steps } = recordOf(given);
  const said = typeof given === 'string' ? given : say;
  if (typeof said !== 'string' || said.trim() === '') return [];
  return [
    {
      say: short(said, designLimits.line),
      steps: listOf(steps, designLimits.steps).map((step) => stepOf(recordOf(step), step)),
    },
  ];
}

const acts = ['fill', 'choose', 'press', 'key', 'see', 'gone'] as const;

function stepOf(step: Readonly<Record<string, unknown>>, given: unknown): Step {
  const unclear = { unclear: short(JSON.stringify(given) ?? '', designLimits.text) };
  if (step['reload'] === true) return { reload: true };
  const act = acts.find((name) => typeof step[name] === 'string' && step[name] !== '');
  if (act === undefined) return unclear;
  const what = short(String(step[act]), designLimits.text);
  if (act === 'fill') {
    const value = step['with'];
    if (typeof value !== 'string' && typeof value !== 'number') return unclear;
    return { fill: what, with: short(String(value), designLimits.text) };
  }
  if (act === 'choose')
    return {
      choose: what,
      ...(typeof step['in'] === 'string' && { in: short(step['in'], designLimits.text) }),
    };
  return { [act]: what } as unknown as Step;
}

function entityOf(given: unknown): FurtherEntity[] {
  const { singular, plural, fields } = recordOf(given);
  const labelled = listOf(fields, designLimits.fields).flatMap((field) => {
    const { label, type } = recordOf(field);
    if (typeof label !== 'string' || label === '') return [];
    return [
      { label: short(label, designLimits.text), type: typeof type === 'string' ? short(type, 24) : 'text' },
    ];
  });
  if (typeof singular !== 'string' || labelled.length === 0) return [];
  const several = typeof plural === 'string' ? plural : singular;
  return [{ singular: short(singular, 60), plural: short(several, 60), fields: labelled }];
}

function lines(said: unknown): string[] {
  return listOf(said, designLimits.lines)
    .filter((line) => typeof line === 'string')
    .map((line) => short(line, designLimits.line))
    .filter((line) => line !== '');
}

const listOf = (value: unknown, most: number): unknown[] =>
  Array.isArray(value) ? value.slice(0, most) : [];

const recordOf = (value: unknown) =>
  (value !== null && typeof value === 'object' ? value : {}) as Readonly<Record<string, unknown>>;

/** On one line, which is trimmed and not too long. */
export const short = (text: string, max: number): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, max);
