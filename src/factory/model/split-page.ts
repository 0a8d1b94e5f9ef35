import { attribute, elementsOf, pageLinks, textOf } from '../page-links.ts';

/**
 * A page with everything in it, taken apart into the wanted files: scripts and styles that stand in it move into the
 * first script and the first stylesheet among them, to which the page then refers.
 */
export function splitPage(html: string, wanted: ReadonlySet<string>): Map<string, string> {
  const target = (ending: string) => [...wanted].find((path) => path.endsWith(ending)) ?? null;
  const inline = elementsOf(html).flatMap((element) => {
    const location = element.sourceCodeLocation;
    const isScript =
      element.tagName === 'script' &&
      attribute(element, 'src') === null &&
      ['', 'module', 'text/javascript'].includes(attribute(element, 'type') ?? '');
    const path = isScript ? target('.js') : element.tagName === 'style' ? target('.css') : null;
    return location && path
      ? [{ path, text: textOf(element), from: location.startOffset, to: location.endOffset }]
      : [];
  });
  let page = html;
  for (const { from, to } of [...inline].sort((a, b) => b.from - a.from))
    page = page.slice(0, from) + page.slice(to);
  const files = new Map<string, string>();
  for (const { path, text } of inline) files.set(path, `${files.get(path) ?? ''}${text.trim()}\n`);
  const linked = new Set(pageLinks(page).map((link) => link.path));
  for (const path of [...files.keys()].filter((path) => !linked.has(path))) page = withLink(page, path);
  return new Map([['index.html', page], ...files]);
}

function withLink(page: string, path: string): string {
  const isScript = path.endsWith('.js');
  const link = isScript
    ? `<script type="module" src="${path}"></script>\n`
    : `<link rel="stylesheet" href="${path}">\n`;
  const at = page.toLowerCase().lastIndexOf(isScript ? '</body>' : '</head>');
  return at < 0 ? page + link : page.slice(0, at) + link + page.slice(at);
}
