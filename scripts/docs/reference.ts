import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Document, operationsOf } from '../../src/contract/served/document.ts';
import { siteFooter, siteHeader } from '../../src/pages/layout.ts';

/** Redoc shows its maker's logo from this address; the page carries the name as a picture of its own instead. */
const remoteLogo = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g;
const ownLogo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="46" height="14"><text y="11" font-family="sans-serif" font-size="11">Redocly</text></svg>',
)}`;

/** The frame that all pages have, colours that can be read, titles that keep their words whole, and code without scrolling. */
const ownStyle = (frame: string) => `<style>
${frame}
body { margin: 0; }
html.light { --color-warm-grey-5: #5f616c !important; --color-blue-6: #0b5fd6 !important; --color-carrot-6: #a15000 !important; }
html.light { --code-block-tokens-function-color: #964f00 !important; --code-block-tokens-string-color: #2458b0 !important; }
html.light .tag-http { --tag-color: #1a4fc4 !important; }
html.dark { --color-warm-grey-5: #a9aab5 !important; }
pre { white-space: pre-wrap !important; overflow-wrap: anywhere; }
h1, h2, h3 { overflow-wrap: break-word !important; word-break: normal !important; }
@media (max-width: 50rem) { h1 { font-size: 1.45em !important; } h2 { font-size: 1.25em !important; } }
</style>`;

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
    writeFileSync(path.join(root, 'build/docs.html'), withFrame(root, page));
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

/** Redoc's menu is no landmark, and the names of its menus of examples hide what they show. It draws both anew at will. */
const ownScript = `<script>
new MutationObserver(() => {
  for (const menu of document.querySelectorAll('.menu-content:not([role])')) {
    menu.setAttribute('role', 'navigation');
    menu.setAttribute('aria-label', 'Operations');
  }
  for (const button of document.querySelectorAll('button[aria-label="Example"]')) button.removeAttribute('aria-label');
}).observe(document.getElementById('redoc'), { childList: true, subtree: true });
</script>`;

/** Puts our frame around Redoc. */
function withFrame(root: string, page: string): string {
  const frame = readFileSync(path.join(root, 'src/pages/assets/frame.css'), 'utf8');
  const head = page.indexOf('</head>');
  const body = page.indexOf('<body>', head) + '<body>'.length;
  const end = page.lastIndexOf('</body>');
  if (head < 0 || body < head || end < body)
    throw new Error('the documentation page has no head and body to add to');
  const before = `${page.slice(0, head)}${ownStyle(frame)}${page.slice(head, body)}`;
  return `${before}${siteHeader.text}${page.slice(body, end)}${siteFooter.text}${ownScript}${page.slice(end)}`;
}
