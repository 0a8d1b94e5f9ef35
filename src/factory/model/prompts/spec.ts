import { appSpecSchema } from '../../../../generated/app-spec.gen.ts';
import type { SentSpec } from '../../plan/sent-spec.ts';
import type { Reading } from '../../read/draft.ts';
import { maxSpecBytes, type TemplateName } from '../../spec.ts';
import { maxFilesToWrite } from '../../verify/paths.ts';
import { between, kindLines, requestRule, requestText } from './kinds.ts';

const { $schema, title, $defs, ...specSchema } = appSpecSchema;

/** The schema of a spec that a model writes: what has no default must stand in it. */
export const modelSpecSchema = { ...specSchema, required: ['kind', 'name', 'lang'] } as const;

/** Lines for people, as a model may write them. */
export const lineList = {
  type: 'array',
  maxItems: 8,
  items: { type: 'string', minLength: 1, maxLength: 200 },
} as const;

/** What the model answers with, as JSON Schema. */
const answerSchema = {
  $schema,
  title: 'AppPlan',
  type: 'object',
  required: ['spec', 'files', 'served_by', 'not_done'],
  additionalProperties: false,
  $defs,
  properties: {
    spec: modelSpecSchema,
    files: {
      type: 'array',
      minItems: 2,
      maxItems: maxFilesToWrite,
      items: {
        type: 'object',
        required: ['path', 'purpose'],
        additionalProperties: false,
        properties: {
          path: { type: 'string', pattern: '^(index\\.html|src/[a-z0-9_./-]+\\.(js|css))$' },
          purpose: { type: 'string', minLength: 1, maxLength: 200 },
        },
      },
    },
    served_by: { type: 'string', enum: ['template', 'files', 'nothing'] },
    not_done: lineList,
  },
} as const;

/** How the members of a spec are filled in, for whoever writes a new one or changes one. */
export const specRules = `- \`entity\`: the thing that a tracker, board, dashboard or form keeps, with the fields that the request lists, and
  otherwise the ones that such a thing usually has. Keys are f0, f1, f2 … in order. A field of type \`select\` has
  \`options\`; the options of the first one are the columns of a board. Null for kinds that keep nothing.
- \`seed\`: believable first entries by field key, at most six. A date is written as days from today, such as "@+3" or
  "@-12"; numbers are numbers, checkboxes true or false, selects one of their options. None where nobody could guess
  them: an empty start that invites is better than made-up entries.
- \`sections\`: the content of a site, of documentation, of an event; for \`habits\` and \`notes\` one section whose items are
  the habits or notes. Use every fact that the request gives (prices, opening hours, addresses, dates), and make none up
  that somebody could rely on: no invented prices, contacts, reviews or awards. In a \`document\` the lines of an invoice
  are a section of the type \`prices\`, with the quantity as \`meta\` and the price of one as \`price\`; all other sections
  are its text.
- \`hours\`, \`contact\`: only what the request gives. A contact that it does not give is dropped.
- \`questions\`: real, correct questions for a quiz (ten or so, each with three wrong answers), cards for flashcards.
- \`formula\`: for what a calculator reckons that no other variant does: the inputs with unit, start value and bounds, and
  the results with an expression each, checked by hand with the start values.
- \`grid\`: the rows and marks of a calendar. \`choices\`: what a picker draws from. \`icon\`: the name of an icon of Lucide
  that shows the subject, such as \`leaf\`.
- \`settings\`, \`copy\`: the numbers and short texts that the kind has, by the names listed above; only where the request
  says something about them.
- \`assumptions\`: what you had to decide because the request did not say it, in plain words, at most five.
- The whole spec has at most ${maxSpecBytes / 1024} KB of JSON.`;

export const specInstructions = `You plan small web apps. Somebody says in a few words what they want; you decide what the app is, and answer with one
JSON object that follows the schema below. Another step then writes the app's files from your plan, and a person opens
the result in a browser minutes later.

${requestRule}

# What the app will be

- One page that works from a double-click: HTML, CSS and JavaScript, no server, no network, no account, no library.
- A tool that one would really use, or a page that one would really publish. Its main job works completely; nothing is a
  mock-up, and nothing is promised that is not there. Three features that work are better than ten that do not.
- What needs a server or live data (accounts, payments, weather, multiplayer, an AI) cannot be had. Plan the closest
  thing that is useful without it, and name it in \`not_done\`.

# The draft

Rules have read the request before you and made a draft of the spec, with what of the request is nowhere in it. The draft
is often wrong: in the kind, in names, in what is a field and what is not. Correct it, complete it, find a place for what
it lacks, and answer with the whole spec. What is right in it stays as it is.

# The kinds

\`kind\` is the closest of these, also when the app goes beyond it: a ready-made template of that kind stands in when the
written files cannot be used. \`variant\` is one of those that it lists, and empty where it lists none.

${kindLines}

# The spec

- \`name\`: what the request calls it, letter by letter; if it does not, a short name that a person would choose, never
  a sentence. \`tagline\`: one line that says what it is for.
- \`lang\`: the language of the request; every text of the spec is in it. For a language that is not in the schema, \`en\`,
  and \`not_done\` says so.
- \`palette.accent\`: the colour that was asked for, else one that suits the subject. \`mode\` is \`auto\` unless the request
  wants it dark or light.
${specRules}
- Whatever would be empty or as usual for its kind can be left out.

# Served by, not done

- \`served_by\`: \`template\` when the template of the kind, filled from your spec, does the main job of the request; \`files\`
  when no template does, and the files do; \`nothing\` when no page without server and network can.
- \`not_done\` quotes what the request asks for and the app will not have, word for word, one line each; else it is empty.

# The files

- Exactly one \`index.html\`; everything else is \`src/….js\` (modules) or \`src/….css\`, in lower case. One line of purpose each.
- Three to six files for most apps: the page, the entry script, one module for each concern that is worth one (the state,
  the rules of a game, a chart), one stylesheet. None longer than about 250 lines.
- \`src/theme.css\` (colours, corners, type as custom properties) and \`src/kit/storage.js\` exist already; do not list them.

# The answer

The JSON object and nothing else: no fence, no comment, no words before or after it.

${JSON.stringify(answerSchema)}`;

/** What is known beside the request. */
export interface Known {
  /** The kind that was chosen by hand. */
  readonly kind?: TemplateName | undefined;
  /** What was sent of the spec. */
  readonly given?: SentSpec | undefined;
  readonly draft: Reading;
}

/** The request, what was chosen beside it, and what the rules have made of it. */
export function specQuestion(prompt: string, { kind, given, draft }: Known, boundary: string): string {
  const { spec, notTakenUp, unserved } = draft;
  return [
    'Plan this app.',
    requestText(prompt, boundary),
    ...(kind === undefined ? [] : [`The kind was chosen by hand: "kind" must be "${kind}".`]),
    ...(given
      ? [
          'This much of "spec" is decided; take it as it is and fill in the rest:',
          between('GIVEN', JSON.stringify(given), boundary),
        ]
      : []),
    'The draft of the rules:',
    between('DRAFT', JSON.stringify(withoutEmpty(spec)), boundary),
    ...(notTakenUp.length > 0
      ? [
          'What of the request the draft has no place for, a line for each:',
          between('NOT TAKEN UP', notTakenUp.join('\n'), boundary),
        ]
      : []),
    ...(unserved
      ? [
          'The rules know no kind that serves this. If none does, plan the app as what it is: its files are written for it alone, and "kind" only names the template that stands in.',
          between('UNSERVED', unserved.head, boundary),
        ]
      : []),
  ].join('\n\n');
}

/** A spec without what says nothing. */
export function withoutEmpty(spec: object): object {
  return Object.fromEntries(
    Object.entries(spec).filter(([, value]) => !['null', '""', '[]', '{}'].includes(JSON.stringify(value))),
  );
}

export function specCorrection(problems: readonly string[]): string {
  return [
    'That cannot be used:',
    '',
    ...problems.map((problem) => `- ${problem}`),
    '',
    'Answer with the whole corrected JSON object and nothing else.',
  ].join('\n');
}
