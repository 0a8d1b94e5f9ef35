import type { Design, Must } from '../../plan/design.ts';
import type { AppSpec } from '../../spec.ts';
import { endMark, fileMark, noFilesMark } from '../blocks.ts';
import type { FileToWrite } from '../model-spec.ts';
import { capabilities, kitLines, themeLines, todayLine } from './capabilities.ts';
import { between, requestRule, requestText } from './kinds.ts';
import { withoutEmpty } from './spec.ts';

/** What holds for the files of every app, for those who write and for those who repair them. */
export const codeInstructions = `You write small web apps of the quality that a senior product engineer would put a name to: complete, handsome, quick
to understand, and correct at the edges. A person opens your files in a browser minutes from now; nobody edits them before.

${requestRule}

# Where it runs

${capabilities}

Storage: never touch localStorage, sessionStorage, cookies or indexedDB; use the kit. If it does not last, show one quiet line
that entries are lost when the page is closed. Pictures are inline SVG or CSS.

# What it must be

- The main job works from start to end, with the keyboard alone and on a phone 375 px wide without sideways scrolling of
  the page. A wide grid, board or table scrolls in a container of its own, or breaks into rows.
- Each line of \`must\` is done to the app, by labels and names as they stand there: fields, buttons and texts are called so.
- What a person enters can be changed, deleted and brought back (undo), and comes back after a reload where it lasts. In a
  game or a calculator, one step back is enough.
- Every state is designed: empty, one entry, many, a long name, a wrong entry (said beside its field, in plain words).
- Accessible: landmarks, one h1 with the app's name, headings in order, a visible label for each control, names for
  buttons with only a sign, visible focus, aria-live for what changes by itself, targets of at least 40 px (the squares
  of a board may be smaller), nothing by colour alone, \`prefers-reduced-motion\` respected.
- Text that a person typed goes into the page by textContent or value, never by innerHTML.
- All texts in the language of the spec (\`lang\`), dates, numbers and money through Intl; decimals are typed with comma or
  point. Rounding minds floating point: 3 / 0.3 is 10, not 11 after ceil.
- What cannot be had is said on the page in one honest line (\`not_done\`); of facts that contradict each other, the page
  shows what was given.
- Designed, not default: a clear hierarchy, generous space, one accent, quiet surfaces, small transitions. No emoji as
  decoration, no gradient backgrounds for their own sake, no invented reviews, logos or figures.

# What is there: \`src/kit/\`

${kitLines}

# What is there: stylesheets

${themeLines}

# Checks that your files must pass

They are run before anybody sees the app, in a browser too; each failure sends the files back.

- \`index.html\`: doctype, \`<html lang>\` as in the spec, a \`<title>\` that holds the app's name, a viewport, well-formed. Scripts and
  styles are never in the page, nor are handlers (\`onclick=\`): link \`src/….css\`, and at most one
  \`<script type="module" src="src/….js">\`. References are relative, without a leading slash. An icon, if any, is a data: address.
- Ids are unique. Links to \`#id\` lead somewhere. Every button and form does something: it has an id, a class or a data
  attribute that a script mentions. Every input, select and textarea has a label (or aria-label), every picture an alt.
- Imports are static and relative with their ending: \`import { x } from './state.js';\`. What is imported is exported. No
  name is used that is not defined, no constant assigned to. No \`import()\`, \`require\`, \`eval\`, \`new Function\`, worker.
- Nothing asks the network: no fetch, XMLHttpRequest, WebSocket, EventSource, sendBeacon, iframe, no http(s) address that is
  loaded. Links for people are fine.
- No gaps: no "rest of the code", no TODO, no lorem ipsum, no sample key. Every file is complete.
- CSS is valid; where a rule sets both colour and background as hex values, their contrast is at least 4.5.
- Every label of the spec's fields stands in the app, as it is written there; its unit stands beside it.
- At 375 and 1280 px nothing overlaps, and nothing is wider than the page; no error at loading, without storage too.
- If you write a helper that makes elements, call it \`el\`.`;

/** How files are to be written. */
export function formOf(boundary: string): string {
  return `Write each file whole, between two lines of their own, exactly like this and nothing else around it:

${fileMark(boundary, 'src/example.js')}
…the complete text of the file…
${endMark(boundary)}

No fences, no JSON, no escaping, no words before, between or after the files.`;
}

/** What is to be written. */
export interface ToWrite {
  readonly spec: AppSpec;
  readonly files: readonly FileToWrite[];
  /** Left out: nobody has planned more than the spec. */
  readonly design?: Design | undefined;
  readonly notDone?: readonly string[];
  /** Whether it is an app that is changed, whose design may say what is no longer wanted. */
  readonly changed?: boolean;
  /** The members of the spec that were planned; left out: all of them. */
  readonly said?: readonly string[];
}

/** Members of a spec that speak of the template alone. */
const ofTemplates: ReadonlySet<string> = new Set([
  'v',
  'kind',
  'variant',
  'icon',
  'settings',
  'copy',
  'features',
]);

/** A spec as whoever writes the files needs it: what was planned of the app, and nothing of the template that stands in. */
export function plannedOf(spec: AppSpec, said?: readonly string[]): object {
  const own = Object.entries(spec).filter(
    ([name]) => !ofTemplates.has(name) && (!said || said.includes(name) || name === 'palette'),
  );
  return withoutEmpty(Object.fromEntries(own));
}

/** What is planned, as data. */
function planLines({ spec, design, notDone = [], said }: Omit<ToWrite, 'files'>, boundary: string): string[] {
  const plan = { ...plannedOf(spec, said), ...withoutEmpty({ ...design, not_done: notDone }) };
  return ['The plan:', '', between('PLAN', JSON.stringify(plan), boundary), ''];
}

/** Asks for every file of the spec. */
export function codeQuestion(prompt: string, toWrite: ToWrite, boundary: string): string {
  return [
    `Write this app. ${todayLine()}`,
    '',
    ...(prompt === '' ? [] : [requestText(prompt, boundary), '']),
    ...planLines(toWrite, boundary),
    'A date such as "@+3" in the seed means days from the day on which the app is first opened. Write these files, in this order:',
    '',
    ...toWrite.files.map(({ path, purpose }) => `- ${path}: ${purpose}`),
    '',
    formOf(boundary),
  ].join('\n');
}

/** Asks for what an answer that broke off still lacks. */
export function continuation(cut: string | null, missing: readonly string[], boundary: string): string {
  const rest = missing.filter((path) => path !== cut);
  if (cut === null && rest.length === 0)
    return `Your answer broke off. Write the other files that change now. ${formOf(boundary)}`;
  const then = rest.length > 0 ? ` Then write the files that are still missing: ${rest.join(', ')}.` : '';
  return cut === null
    ? `These files are still missing: ${rest.join(', ')}. Write them now. ${formOf(boundary)}`
    : `Your answer broke off within ${cut}. Go on exactly where it stopped, with the very next character: repeat nothing, open no fence, say nothing, and end the file with its line "${endMark(boundary)}".${then}`;
}

/** Asks for whole new versions of files that did not pass. */
export function repairQuestion(
  plan: Omit<ToWrite, 'files'>,
  blocks: readonly string[],
  problems: readonly string[],
  affected: readonly string[],
  boundary: string,
): string {
  return [
    'These are the files of an app. They did not pass the checks.',
    '',
    ...planLines(plan, boundary),
    'The files:',
    '',
    ...blocks,
    '',
    'What the checks found:',
    '',
    ...problems,
    '',
    `Find the cause of each, mend it without taking features away, and write these files again, whole: ${affected.join(', ')}. Every other file stays as it is.`,
    '',
    formOf(boundary),
  ].join('\n');
}

interface ChangeAsked {
  /** What the app was first asked for with; empty where a spec was sent. */
  readonly prompt: string;
  /** Null: only the spec has changed. */
  readonly instruction: string | null;
  readonly before: AppSpec;
  readonly after: AppSpec;
  /** What had to be so before. */
  readonly must: readonly Must[];
  /** The files as they are, each between its marks. */
  readonly blocks: readonly string[];
}

/** Asks for those files of an app that a change needs. */
export function changeQuestion(
  { prompt, instruction, before, after, must, blocks }: ChangeAsked,
  boundary: string,
): string {
  return [
    'Change this app.',
    ...(prompt === '' ? [] : ['It was first asked for with this:', between('FIRST', prompt, boundary)]),
    'Its spec was:',
    between('SPEC BEFORE', JSON.stringify(plannedOf(before)), boundary),
    ...(instruction === null
      ? []
      : ['Now it is to be changed as this says:', requestText(instruction, boundary)]),
    'Its spec is now, with nothing left out:',
    between('SPEC', JSON.stringify(plannedOf(after)), boundary),
    ...(must.length > 0
      ? [
          'This had to be so, and still has to where the change does not say otherwise:',
          between('MUST', JSON.stringify(must), boundary),
        ]
      : []),
    'Its files:',
    ...blocks,
    `Change what is asked for and what the new spec says, and nothing else: what people have entered in the app must still be found under the same names in the storage. Colours and corners follow the spec by src/theme.css, without you. Write only the files that change, each whole; no new ones. If none has to change, answer with the one line "${noFilesMark(boundary)}".`,
    formOf(boundary),
  ].join('\n\n');
}
