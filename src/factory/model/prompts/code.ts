import type { AppSpec } from '../../spec.ts';
import { endMark, fileMark, noFilesMark } from '../blocks.ts';
import type { FileToWrite } from '../model-spec.ts';
import { between, requestRule, requestText } from './kinds.ts';

/** What holds for the files of every app, for those who write and for those who repair them. */
export const codeInstructions = `You write small web apps of the quality that a senior product engineer would put a name to: complete, handsome, quick
to understand, and correct at the edges. A person opens your files in a browser minutes from now; nobody edits them before.

${requestRule}

# Where it runs

- The files become one self-contained HTML page. It is opened in a sandboxed frame without an origin, and as a file by
  double-click. There is no network, no server, no library, no font or picture from elsewhere, no worker.
- Storage may be missing. Never touch localStorage, sessionStorage, cookies or indexedDB; use the kit:
  \`import { persistent, recall, remember } from './kit/storage.js';\` (from src/)
  \`recall(name, fallback)\` gives a stored JSON value, \`remember(name, value)\` stores one and gives true or false,
  \`persistent\` says whether it lasts. If it does not, show one quiet line that entries are lost when the page is closed.
- Downloads work through a Blob and a link with \`download\`. Pictures are inline SVG or CSS. Sounds come from Web Audio.
- Newest stable Chrome, Firefox and Safari. Plain modern JavaScript modules; no TypeScript, no JSX, no build step.

# What it must be

- The main job works from start to end, with the keyboard alone and on a phone 375 px wide without sideways scrolling.
- What a person enters can be changed, deleted and brought back (undo), and comes back after a reload where it lasts.
- Every state is designed: empty, one entry, many, a long name, a wrong entry (said beside its field, in plain words).
- Accessible: landmarks, one h1 with the app's name, headings in order, a visible label for each control, names for
  buttons with only a sign, visible focus, aria-live for what changes by itself, targets of at least 40 px, nothing by
  colour alone, \`prefers-reduced-motion\` respected.
- Text that a person typed goes into the page by textContent or value, never by innerHTML.
- All texts in the language of the spec (\`lang\`), dates, numbers and money through Intl.
- Designed, not default: a clear hierarchy, generous space, one accent, quiet surfaces, small transitions. No emoji as
  decoration, no gradient backgrounds for their own sake, no invented reviews, logos or figures.

# Colours, corners, type

\`src/theme.css\` exists; link it first. It defines for light and dark, with contrast that is already right:
--bg (page), --surface (cards, fields), --raised (hover, wells), --line, --field-line (borders of fields), --text, --muted,
--accent with --on-accent on it, --accent-soft with --accent-text on it, --danger with --danger-soft, --good with
--good-soft, --warn with --warn-soft, --shadow, --shadow-large, --radius, --radius-small, --radius-pill, --font,
--font-heading, --heading-weight, --heading-tracking. Use them for everything; add no colours of your own unless the app is
about colour. The page follows the system's mode: give \`<html>\` \`data-theme="auto"\`, or "dark" or "light" as the palette says.

# Checks that your files must pass

They are run before anybody sees the app; each failure sends the files back.

- \`index.html\`: doctype, \`<html lang>\` as in the spec, a \`<title>\` that holds the app's name, a viewport, well-formed. Scripts and
  styles are never in the page, nor are handlers (\`onclick=\`): link \`src/….css\`, and one \`<script type="module" src="src/….js">\`.
  References are relative, without a leading slash. An icon, if any, is a data: address.
- Ids are unique. Links to \`#id\` lead somewhere. Every button and form does something: it has an id, a class or a data
  attribute that a script mentions. Every input, select and textarea has a label (or aria-label), every picture an alt.
- Imports are static and relative with their ending: \`import { x } from './state.js';\`. What is imported is exported. No
  name is used that is not defined, no constant assigned to. No \`import()\`, \`require\`, \`eval\`, \`new Function\`, worker.
- Nothing asks the network: no fetch, XMLHttpRequest, WebSocket, EventSource, sendBeacon, iframe, no http(s) address that is
  loaded. Plain links for people (\`<a href="https://…">\`) are fine.
- No gaps: no "rest of the code", no TODO, no lorem ipsum, no sample key. Every file is complete.
- CSS is valid; where a rule sets both colour and background as hex values, their contrast is at least 4.5.
- Every label of the spec's fields stands in the app, as it is written there.
- If you write a helper that makes elements, call it \`el\`.`;

/** How files are to be written. */
export function formOf(boundary: string): string {
  return `Write each file whole, between two lines of their own, exactly like this and nothing else around it:

${fileMark(boundary, 'src/example.js')}
…the complete text of the file…
${endMark(boundary)}

No fences, no JSON, no escaping, no words before, between or after the files.`;
}

/** Asks for every file of the spec. */
export function codeQuestion(
  prompt: string,
  spec: AppSpec,
  files: readonly FileToWrite[],
  boundary: string,
): string {
  return [
    'Write this app.',
    '',
    ...(prompt === '' ? [] : [requestText(prompt, boundary), '']),
    'Its spec. The kind says which template stands in if your files cannot be used, and nothing about what you write:',
    '',
    between('SPEC', JSON.stringify(spec), boundary),
    '',
    'A date such as "@+3" in the seed means days from the day on which the app is first opened. Write these files, in this order:',
    '',
    ...files.map(({ path, purpose }) => `- ${path}: ${purpose}`),
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
  spec: AppSpec,
  blocks: readonly string[],
  problems: readonly string[],
  affected: readonly string[],
  boundary: string,
): string {
  return [
    'These are the files of an app. They did not pass the checks.',
    '',
    'The spec:',
    '',
    between('SPEC', JSON.stringify(spec), boundary),
    '',
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
  /** The files as they are, each between its marks. */
  readonly blocks: readonly string[];
}

/** Asks for those files of an app that a change needs. */
export function changeQuestion(
  { prompt, instruction, before, after, blocks }: ChangeAsked,
  boundary: string,
): string {
  return [
    'Change this app.',
    ...(prompt === '' ? [] : ['It was first asked for with this:', between('FIRST', prompt, boundary)]),
    'Its spec was:',
    between('SPEC BEFORE', JSON.stringify(before), boundary),
    ...(instruction === null
      ? []
      : ['Now it is to be changed as this says:', requestText(instruction, boundary)]),
    'Its spec is now, with nothing left out:',
    between('SPEC', JSON.stringify(after), boundary),
    'Its files:',
    ...blocks,
    `Change what is asked for and what the new spec says, and nothing else: what people have entered in the app must still be found under the same names in the storage. Colours and corners follow the spec by src/theme.css, without you. Write only the files that change, each whole; no new ones. If none has to change, answer with the one line "${noFilesMark(boundary)}".`,
    formOf(boundary),
  ].join('\n\n');
}
