/** What the page of an app can do, and what it cannot, said to whoever plans an app and to whoever writes one. */
export const capabilities = `The app is one self-contained HTML page of plain modern JavaScript (newest Chrome, Firefox, Safari). It is opened in a
sandboxed frame without an origin, on an origin of its own, and as a file by double-click.

- Works: canvas and SVG, Web Audio (after the first press), pointer, touch and keyboard events, drag and drop, the \`submit\`
  event of forms, \`<dialog>\` with \`showModal()\`, \`popover\`, \`alert\`, \`confirm\`, \`prompt\`, file inputs with \`file.text()\`,
  downloads by a Blob and a link with \`download\`, Intl, timers, requestAnimationFrame, \`crypto.getRandomValues\`, and links
  for people: https, \`tel:\`, \`mailto:\`, \`sms:\`.
- May be missing, so say what happens then: storage that lasts, \`crypto.subtle\` (encryption; never replace it by something
  weaker), \`navigator.clipboard\`, \`print()\`, \`navigator.vibrate\`, fullscreen, \`target="_blank"\` (write it, with
  rel="noopener"), speech, sharing.
- No: network, server, live data, accounts, payments, e-mail that is sent, push messages, another device, camera,
  microphone, location, cookies, service workers, workers, \`iframe\`, libraries, fonts or pictures from elsewhere.`;

/** What `src/kit/` has, for whoever writes an app. */
export const kitLines = `\`import { persistent, recall, remember, forget } from './kit/storage.js';\` (from src/): \`recall(name, fallback)\` gives a stored
JSON value, \`remember(name, value)\` stores one at once and gives true or false, \`forget(name)\` deletes it, \`persistent\` is true
where it lasts. Names belong to this app alone.

From './kit/tools.js', all by the page's language: \`formatNumber(n, digits)\`, \`parseNumber(text)\` (comma or point; null for none),
\`today()\` ("2026-03-01"), \`formatDate(day, options)\`, \`daysSince(day)\`, \`toCsv(rows)\`, \`fromCsv(text)\`; \`download(name, text, type)\`,
\`copyText(text)\` (a promise of true or false), \`printOrSay(message)\`, \`announce(text)\` for those who cannot see,
\`toast(text, { label, run })\` with a button that takes back (style \`#kit-message\` and \`#kit-message[data-shown]\`; without the
latter only screen readers are to find it), and \`undoable(name, fallback, onChange)\`: \`value\`, \`set(next)\`, \`undo()\`, \`redo()\`, \`canUndo\`, \`canRedo\`, kept
under that name; values are replaced, never changed.`;

/** What the stylesheets have that each app is given. */
export const themeLines = `Link \`src/theme.css\` first. It defines custom properties and nothing else, for light and dark, with contrast that is already right:
--bg (page), --surface (cards, fields), --raised (hover, wells), --line, --field-line (borders of fields), --text, --muted,
--accent with --on-accent on it, --accent-soft with --accent-text on it, --danger with --danger-soft, --good with
--good-soft, --warn with --warn-soft, --shadow, --shadow-large, --radius, --radius-small, --radius-pill, --font,
--font-heading, --heading-weight, --heading-tracking, and --c1 to --c6 for charts, categories, tracks and players. Use them for
everything; add no colours of your own unless the app is about colour. The page follows the system's mode: give \`<html>\` \`data-theme="auto"\`, or "dark" or "light" as the palette says.

Then link \`src/kit/base.css\`, unless the app wants nothing of it: a reset, type and spacing, a column of 48rem for \`main\`, and the look of
what has no class of its own: buttons (\`class="main"\` for the first one, \`aria-pressed\`), fields as wide as their place (\`aria-invalid\`), checkboxes,
headings, \`dialog\`, a row of choices (\`class="switch"\` around buttons), visible focus, #kit-message, reduced motion. Any rule
of yours wins over it. It defines --space-1 (4 px) to --space-7 (64 px) and --size-1 (13 px) to --size-5 (the h1).`;

/** Such as `Today is Saturday, 2026-11-28.` */
export function todayLine(now: Date = new Date()): string {
  const weekday = now.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  return `Today is ${weekday}, ${now.toISOString().slice(0, 10)}.`;
}
