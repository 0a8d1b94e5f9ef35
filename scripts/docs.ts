/**
 * Builds the documentation page `build/docs.html` from `generated/openapi.json`: Redoc with its script inlined, which
 * asks no other host for anything. Runs after every install and every generation; without the development packages it
 * leaves the page as it is.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const output = path.join(root, 'build/docs.html');
const redocly = path.join(root, 'node_modules/.bin/redocly');

/** Redoc shows its maker's logo from this address; the page carries the name as a picture of its own instead. */
const remoteLogo = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g;
const ownLogo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="46" height="14"><text y="11" font-family="sans-serif" font-size="11">Redocly</text></svg>',
)}`;

/** What the page has beside Redoc: the way back, and titles that keep their words whole on a phone. */
const ownStyle = `<style>
.home { display: block; padding: 0.6rem 1.25rem; border-bottom: 1px solid #e1e1e1; font: 600 15px/1.4 system-ui, sans-serif; }
.home a { color: #16407a; }
@media (prefers-color-scheme: dark) { .home { border-color: #3b3d47; } .home a { color: #8ab8f5; } }
h1, h2, h3 { overflow-wrap: break-word !important; word-break: normal !important; }
@media (max-width: 50rem) { h1 { font-size: 1.45em !important; } h2 { font-size: 1.25em !important; } }
</style>`;
const wayBack = '<nav class="home" aria-label="Switchyard"><a href="/">Switchyard: start page</a></nav>';

/** Puts both into the page, where its head ends and its body begins. */
function withOwnParts(page: string): string {
  const end = page.indexOf('</head>');
  const begin = page.indexOf('<body>', end) + '<body>'.length;
  if (end < 0 || begin < end) throw new Error('the documentation page has no head and body to add to');
  return `${page.slice(0, end)}${ownStyle}${page.slice(end, begin)}${wayBack}${page.slice(begin)}`;
}

if (existsSync(redocly)) {
  const flags = ['--inlineBundle', '--openapi.disableTelemetry', '--title', 'Switchyard: the interface'];
  const { status, stderr } = spawnSync(
    redocly,
    ['build-docs', 'generated/openapi.json', '-o', output, ...flags],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  if (status !== 0) throw new Error(`the documentation page cannot be built:\n${stderr}`);
  writeFileSync(output, withOwnParts(readFileSync(output, 'utf8').replaceAll(remoteLogo, ownLogo)));
}
