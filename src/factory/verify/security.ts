import { attribute, elementsOf } from '../page-links.ts';
import { type Problem, problem } from '../problem.ts';

const data = new Set(['application/json', 'application/ld+json', 'text/plain']);
const forbidden: ReadonlySet<string> = new Set(['iframe', 'frame', 'object', 'embed', 'base', 'portal']);

/**
 * Nothing stands in a page that no other check looks at: scripts, styles and handlers belong in files, and a page holds no
 * other page, is not led elsewhere and does not change what its addresses mean.
 */
export function pageSecurity(file: string, text: string): Problem[] {
  return elementsOf(text).flatMap((element) => {
    const { tagName: tag, attrs } = element;
    const found = (message: string) => [
      problem('security.page', message, file, element.sourceCodeLocation?.startLine ?? null),
    ];
    if (forbidden.has(tag)) return found(`<${tag}> is not allowed.`);
    if (tag === 'script' && attribute(element, 'src') === null && !data.has(attribute(element, 'type') ?? ''))
      return found('A script stands in the page; it belongs in a file under src/.');
    if (tag === 'style') return found('Styles stand in the page; they belong in a file under src/.');
    if (tag === 'meta' && attribute(element, 'http-equiv') !== null)
      return found('<meta http-equiv> is not allowed.');
    return attrs.flatMap(({ name, value }) => {
      if (/^on/i.test(name)) return found(`The handler ${name} stands in the page; it belongs in a script.`);
      if (name === 'style' && /url\(|@import|expression/i.test(value))
        return found('A style attribute refers to an address.');
      return /^(?:href|src|action|formaction|xlink:href)$/.test(name) && isScriptAddress(value)
        ? found(`${name} is a script address.`)
        : [];
    });
  });
}

function isScriptAddress(address: string): boolean {
  const plain = address.replace(/[\p{Cc}\s]/gu, '').toLowerCase();
  return (
    plain.startsWith('javascript:') || plain.startsWith('vbscript:') || plain.startsWith('data:text/html')
  );
}
