import { appSpecSchema } from '../../../../generated/app-spec.gen.ts';
import type { SentSpec } from '../../plan/sent-spec.ts';
import type { Reading } from '../../read/draft.ts';
import { isSure } from '../../read/draft.ts';
import { maxSpecBytes, type TemplateName } from '../../spec.ts';
import { maxFilesToWrite } from '../../verify/paths.ts';
import { capabilities, todayLine } from './capabilities.ts';
import { between, kindDetails, kindLines, requestRule, requestText } from './kinds.ts';
import { notation } from './notation.ts';

const { v: _version, ...members } = appSpecSchema.properties;

/** The members of a spec and what each may be, a line each. */
export const specForm: string = Object.entries(members)
  .map(([name, member]) => `- ${name}: ${notation(member, appSpecSchema.$defs)}`)
  .join('\n');

/** How the members of a spec are filled in, for whoever writes a new one or changes one. */
export const specRules = `- \`entity\`: what a tracker, board, dashboard or form keeps, with the fields that the request lists, and otherwise those
  that such a thing usually has. Keys are f0, f1, f2 … A field of type \`select\` has \`options\`; those of the first one are the
  columns of a board. A number has its \`unit\` beside its label, not in it, and \`min\` and \`max\` where they are sure.
- \`seed\`: at most six believable first entries, by field key. Dates are days from today, such as "@+3" or "@-12". None
  where nobody could guess them: an empty start that invites is better than made-up entries.
- \`sections\`: the content of a site, of documentation, of an event; for \`habits\` and \`notes\` one section whose items they
  are. Use every fact of the request (prices, hours, addresses, dates), and make none up that somebody could rely on: no
  invented prices, contacts, reviews, awards. Where facts are few, general knowledge of the trade helps, never a claim
  about this business. In a \`document\` the lines of an invoice are a section of the type \`prices\`: the quantity is \`meta\`,
  the price of one \`price\`.
- \`hours\`: an exception is a row of its own (days "August", time "closed"). \`contact\`: only what the request gives; another
  is dropped.
- \`questions\`: ten or so for a quiz, correct, each with three wrong answers; cards for flashcards.
- \`formula\`: what a calculator reckons that no other variant does: inputs with unit, start value and bounds, results with
  an expression each, of keys, numbers, \`+ - * / ^ %\`, parentheses and \`min max round ceil floor sqrt abs\`, checked by hand.
- \`grid\`: rows and marks of a calendar. \`choices\`: what a picker draws from. \`icon\`: an icon of Lucide, such as \`leaf\`.
- \`settings\`, \`copy\`: numbers and texts of the kind, by the names that it has; only where the request speaks of them.
- \`assumptions\`: what you had to decide because nobody said it, in plain words, at most five.
- Colours are written \`#2f7d4f\`, currencies as ISO codes, keys of formulas in small letters, digits and \`_\`.
- The whole spec has at most ${maxSpecBytes / 1024} KB of JSON.`;

export const specInstructions = `You plan small web apps. Somebody says in a few words what they want; you decide what the app is and answer with one
JSON object. Another step writes the app's files from your plan, a browser does what \`must\` says, and a person opens the
result minutes later.

${requestRule}

# What the app can do

${capabilities}

A tool that one would really use, or a page that one would really publish: its main job works completely, nothing is a
mock-up or promised that is not there. Three features that work are better than ten that do not. Of what cannot be had
plan the closest thing that is useful without it, and name it in \`not_done\`.

# The answer

The JSON object and nothing else: no fence, no comment, no words before or after it. What would be empty is left out. \`?\`
stands behind what may be, ≤ before the greatest length.

{"spec": {…}, "files": [{"path", "purpose"}], "served_by": template|files|nothing, "not_done": [text], "conflicts": [text],
"flows": [text], "states": [text], "must": [{"say": text, "steps": [step]}], "entities"?: [{"singular", "plural", "fields"}]}

- \`served_by\`: \`template\` when the template of the kind, filled from your spec, does the main job; \`files\` when only files
  written for it do; \`nothing\` when no page without server and network can.
- \`not_done\` quotes, word for word, what the request asks for and the app will not have.
- \`conflicts\`: where the request contradicts itself or the calendar (a Friday that is a Saturday): both sides, in the
  language of the request. The page shows what was given; whoever asked is told.
- \`flows\`: what a person does, one line for each way through the app. \`states\`: what is seen when empty, wrong, many.
  At most eight each.
- \`must\`: three to eight things that have to be so, the main job first, each with steps on a page that nobody has used:
  {"fill": label, "with": text}, {"choose": option, "in": label}, {"press": name of a button, link, tab or checkbox},
  {"key": "Enter"}, {"see": text}, {"gone": text}, {"reload": true}. Labels and names are those that the app will
  show, letter by letter; \`see\` is text that only a right app shows: a result reckoned by hand, a fact of the request.
- \`entities\`: further sorts of things that the app keeps beside that of the spec.
- \`files\`: exactly one \`index.html\`; all else is \`src/….js\` (modules) or \`src/….css\`, in lower case, with one line of purpose
  each, in English. Two to ${maxFilesToWrite}, three to six for most apps: the page, the entry script, a module for each concern that is worth one, one
  stylesheet; a page of text needs no script. None longer than about 250 lines. \`src/theme.css\` and \`src/kit/\` exist.

# The spec

${specForm}

- \`kind\`: the one whose template stands in when the written files cannot be used; \`none\` where none is near. \`variant\`: one
  that the kind lists, empty where none fits.
- \`name\`: what the request calls it, letter by letter; else a short name that a person would choose.
  \`tagline\`: one line that says what it is for.
- \`lang\`: the language of the request, in which every text of the spec is; a single word tells none but English. For one
  that is not listed, \`en\`, and \`not_done\` says so.
- \`palette.accent\`: the colour asked for, else one that suits the subject.
${specRules}

# The kinds

${kindLines}`;

/** What is known beside the request. */
export interface Known {
  /** The kind that was chosen by hand. */
  readonly kind?: TemplateName | undefined;
  /** What was sent of the spec. */
  readonly given?: SentSpec | undefined;
  readonly draft: Reading;
}

/** The request, what was chosen beside it, and what the rules have made of it where they are sure. */
export function specQuestion(prompt: string, { kind, given, draft }: Known, boundary: string): string {
  const { spec, notTakenUp } = draft;
  const sure = isSure(draft);
  const likely = kind ?? given?.kind ?? (sure ? spec.kind : undefined);
  return [
    `Plan this app. ${todayLine()}`,
    requestText(prompt, boundary),
    ...(kind === undefined ? [] : [`The kind was chosen by hand: "kind" must be "${kind}".`]),
    ...(given
      ? [
          'This much of "spec" is decided; take it as it is and fill in the rest:',
          between('GIVEN', JSON.stringify(given), boundary),
        ]
      : []),
    ...(sure
      ? [
          'Rules have read the request and made a draft of the spec. Correct and complete it; what is right in it stays, what is not goes:',
          between('DRAFT', JSON.stringify(withoutEmpty({ ...spec, v: null })), boundary),
        ]
      : factsOf(draft, boundary)),
    ...(sure && notTakenUp.length > 0
      ? [
          'What of the request the draft has no place for, a line for each:',
          between('NOT TAKEN UP', notTakenUp.join('\n'), boundary),
        ]
      : []),
    ...(likely ? ['The kind that is likely, in full:', kindDetails(likely)] : []),
  ].join('\n\n');
}

/** What the rules have found where they do not know what it is for. */
function factsOf({ spec: { contact, hours }, unserved }: Reading, boundary: string): string[] {
  const facts = withoutEmpty({ contact, hours });
  return [
    ...(unserved
      ? ['Rules know no kind that serves this; they may be wrong. Plan the app as what it is.']
      : []),
    ...(Object.keys(facts).length > 0
      ? ['Facts that rules have found in the request:', between('FACTS', JSON.stringify(facts), boundary)]
      : []),
  ];
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
