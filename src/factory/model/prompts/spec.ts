import { appSpecSchema } from '../../../../generated/app-spec.gen.ts';
import type { SentSpec } from '../../plan/sent-spec.ts';
import { type TemplateName, variants } from '../../spec.ts';
import { maxFilesToWrite } from '../paths.ts';
import { requestRule, requestText } from './request.ts';

const { $schema, title, $defs, ...specSchema } = appSpecSchema;

/** What the model answers with, as JSON Schema. */
const answerSchema = {
  $schema,
  title: 'AppPlan',
  type: 'object',
  required: ['spec', 'files'],
  additionalProperties: false,
  $defs,
  properties: {
    spec: specSchema,
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
  },
} as const;

/** The variants of each kind, a line for a kind. */
export const variantLines = Object.entries(variants)
  .map(([template, names]) => `- ${template}: ${names.join(', ')}`)
  .join('\n');

export const specInstructions = `You plan small web apps. Somebody says in a few words what they want; you decide what the app is, and answer with one
JSON object that follows the schema below. Another step then writes the app's files from your plan, and a person opens
the result in a browser minutes later.

${requestRule}

# What the app will be

- One page that works from a double-click: HTML, CSS and JavaScript, no server, no network, no account, no library.
- A tool that one would really use, or a page that one would really publish. Its main job works completely; nothing is a
  mock-up, and nothing is promised that is not there. Three features that work are better than ten that do not.
- What needs a server or live data (accounts, payments, weather, multiplayer, an AI) cannot be had. Plan the closest
  thing that is useful without it, and say so in \`assumptions\`.

# The spec

- \`kind\` is the closest of our kinds, also when the app goes beyond it: a ready-made template of that kind stands in
  when the written files cannot be used. \`variant\` is one of these, and empty for every other kind:
${variantLines}
- \`name\`: what the request calls it, letter by letter; if it does not, a short name that a person would choose, never
  a sentence. \`tagline\`: one line that says what it is for.
- \`lang\`: the language of the request; every text of the spec is in it. For a language that is not in the schema, \`en\`.
- \`palette.accent\`: the colour that was asked for, else one that suits the subject. \`mode\` is \`auto\` unless the request
  wants it dark or light.
- \`entity\`: the thing that a tracker, board, dashboard or form keeps, with the fields that the request lists, and
  otherwise the ones that such a thing usually has. Keys are f0, f1, f2 … in order. A field of type \`select\` has
  \`options\`. Null for other kinds.
- \`seed\`: three to six believable first entries by field key, so that the app is not empty. A date is written as days from
  today, such as "@+3" or "@-12"; numbers are numbers, checkboxes true or false, selects one of their options.
- \`sections\`: the content of a site, of documentation, of an event; for \`habits\` and \`notes\` one section whose items are
  the habits or notes. Use every fact that the request gives (prices, opening hours, addresses, dates), and make none up
  that somebody could rely on: no invented phone numbers, reviews or awards.
- \`questions\`: real, correct questions for a quiz (ten or so, each with three wrong answers), cards for flashcards.
- \`settings\`, \`copy\`: numbers and short texts that the kind starts with, such as {"minutes": 5}; usually empty.
- \`assumptions\`: what you had to decide because the request did not say it, in plain words, at most five.
- The whole spec has at most 8 KB.

# The files

- Exactly one \`index.html\`; everything else is \`src/….js\` (modules) or \`src/….css\`, in lower case. One line of purpose each.
- Three to six files for most apps: the page, the entry script, one module for each concern that is worth one (the state,
  the rules of a game, a chart), one stylesheet. None longer than about 250 lines.
- \`src/theme.css\` (colours, corners, type as custom properties) and \`src/kit/storage.js\` exist already; do not list them.

# The answer

The JSON object and nothing else: no fence, no comment, no words before or after it.

${JSON.stringify(answerSchema)}`;

/** The request, and what was chosen beside it: the template, and what is known of the spec. */
export function specQuestion(
  prompt: string,
  template: TemplateName | undefined,
  boundary: string,
  given?: SentSpec,
): string {
  const chosen =
    template === undefined ? '' : `\n\nThe kind was chosen by hand: "kind" must be "${template}".`;
  const known = given
    ? `\n\nThis much of "spec" is decided; take it as it is and fill in the rest:\n\n${JSON.stringify(given)}`
    : '';
  return `Plan this app.\n\n${requestText(prompt, boundary)}${chosen}${known}`;
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
