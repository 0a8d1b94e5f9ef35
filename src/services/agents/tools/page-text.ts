import type { DefaultTreeAdapterMap } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];

const skipped = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head', 'iframe', 'object']);
const blocks = new Set(
  'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
);

/** The text of an HTML page as a reader sees it: its title first, a line for each block, cells apart by tabs. */
export async function textOfPage(html: string): Promise<string> {
  const { parse } = await import('parse5');
  const parts: string[] = [];
  let title = '';
  // By hand: a hostile page may be nested deeper than the stack.
  const stack: (Node | string)[] = [parse(html)];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node === 'string') parts.push(node);
    else if ('value' in node) parts.push(node.value.replaceAll(/\s+/g, ' '));
    else if ('childNodes' in node) {
      const name = 'tagName' in node ? node.tagName : '';
      if (name === 'head') title ||= titleIn(node);
      if (skipped.has(name)) continue;
      if (blocks.has(name)) stack.push('\n');
      else if (name === 'td' || name === 'th') stack.push('\t');
      for (let at = node.childNodes.length - 1; at >= 0; at -= 1) stack.push(node.childNodes[at] as Node);
      if (blocks.has(name)) stack.push('\n');
    }
  }
  const lines = [title, ...parts.join('').split('\n')].map((line) =>
    line.replaceAll(/[ \f\r]+/g, ' ').trim(),
  );
  return lines.filter((line) => line !== '').join('\n');
}

function titleIn(head: DefaultTreeAdapterMap['parentNode']): string {
  const title = head.childNodes.find((node) => 'tagName' in node && node.tagName === 'title');
  const [text] = title && 'childNodes' in title ? title.childNodes : [];
  return text && 'value' in text ? text.value.replaceAll(/\s+/g, ' ').trim() : '';
}
