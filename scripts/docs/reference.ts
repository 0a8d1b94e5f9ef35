import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Document, operationsOf } from '../../src/contract/served/document.ts';

/** Redoc shows its maker's logo from this address; the page carries the name as a picture of its own instead. */
const remoteLogo = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g;
const ownLogo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="46" height="14"><text y="11" font-family="sans-serif" font-size="11">Redocly</text></svg>',
)}`;

/** What the page has beside Redoc: the way to the other pages, and titles that keep their words whole on a phone. */
const ownStyle = `<style>
.home { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; padding: 0.6rem 1.25rem; border-bottom: 1px solid #e1e1e1; font: 600 15px/1.4 system-ui, sans-serif; }
.home a { color: #16407a; }
@media (prefers-color-scheme: dark) { .home { border-color: #3b3d47; } .home a { color: #8ab8f5; } }
h1, h2, h3 { overflow-wrap: break-word !important; word-break: normal !important; }
@media (max-width: 50rem) { h1 { font-size: 1.45em !important; } h2 { font-size: 1.25em !important; } }
</style>`;
const navigation =
  '<nav class="home" aria-label="Switchyard"><a href="/">Switchyard: start page</a><a href="/docs/guides">Guides</a></nav>';

/** Builds `build/docs.html`: Redoc with its script and the contract inside, which asks no other host for anything. */
export function buildReference(root: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-docs-'));
  try {
    const contract = JSON.parse(readFileSync(path.join(root, 'generated/openapi.json'), 'utf8')) as Document;
    const input = path.join(folder, 'openapi.json');
    writeFileSync(input, JSON.stringify(withOperationIds(contract)));
    const output = path.join(folder, 'docs.html');
    const flags = ['--inlineBundle', '--openapi.disableTelemetry', '--title', 'Switchyard: the interface'];
    const { status, stderr } = spawnSync(
      path.join(root, 'node_modules/.bin/redocly'),
      ['build-docs', input, '-o', output, ...flags],
      {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    if (status !== 0) throw new Error(`the documentation page cannot be built:\n${stderr}`);
    const page = readFileSync(output, 'utf8').replaceAll(remoteLogo, ownLogo);
    writeFileSync(path.join(root, 'build/docs.html'), withOwnParts(page));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Redoc's search looks through titles, paths and descriptions only, so each description names its operation's id: at its
 * beginning, as what stands there weighs the most.
 */
function withOperationIds(contract: Document): Document {
  const shown = structuredClone(contract);
  for (const { id, operation } of operationsOf(shown)) {
    operation.description = `Operation id: \`${id}\`\n\n${operation.description}`;
  }
  return shown;
}

/** Puts both into the page, where its head ends and its body begins. */
function withOwnParts(page: string): string {
  const end = page.indexOf('</head>');
  const begin = page.indexOf('<body>', end) + '<body>'.length;
  if (end < 0 || begin < end) throw new Error('the documentation page has no head and body to add to');
  return `${page.slice(0, end)}${ownStyle}${page.slice(end, begin)}${navigation}${page.slice(begin)}`;
}
