import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { Guide, GuideGroup, Guides } from '../../src/pages/docs.ts';

/** Pages of the root that belong to the guides. */
const besides = ['SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** What the caption of a block of code says, by the language behind its fence. */
const captions: Readonly<Record<string, string>> = {
  bash: 'Shell',
  go: 'Go',
  java: 'Java',
  js: 'JavaScript',
  json: 'JSON',
  php: 'PHP',
  python: 'Python',
  ruby: 'Ruby',
  sql: 'SQL',
  toml: 'TOML',
  ts: 'TypeScript',
  yaml: 'YAML',
};

/** The Markdown files that the guides are made of, as paths from `root`; the list of them, `docs/README.md`, comes first. */
export function guideFiles(root: string): string[] {
  const pages = ['docs/guides', 'docs/reference'].flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
  );
  return ['docs/README.md', ...pages.sort(), ...besides];
}

/**
 * The guides as HTML, in the order and the groups in which `docs/README.md` lists them. Throws for a guide that is not
 * listed and for a link to a file that is not there.
 */
export function renderGuides(root: string): Guides {
  const [list = '', ...files] = guideFiles(root);
  const guides = files.map((file) => render(root, file));
  const { groups, html, title } = renderList(root, list);
  const listed = groups.flatMap(({ names }) => names);
  const differing = [...guides.map(({ name }) => name), ...listed].filter(
    (name) => !(listed.includes(name) && guides.some((guide) => guide.name === name)),
  );
  if (differing.length > 0)
    throw new Error(`docs/README.md and the guides differ in ${differing.join(', ')}`);
  return { groups, start: { title, html }, guides };
}

function render(root: string, file: string): Guide {
  const { title, html, sections, summary } = toHtml(root, file);
  return { name: nameOf(file), title, summary, html, sections };
}

/** The page that lists the guides: second headings are groups, the links below them guides. */
function renderList(root: string, file: string): { groups: GuideGroup[]; title: string; html: string } {
  const text = readFileSync(path.join(root, file), 'utf8');
  const groups = text
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')),
      names: [...part.matchAll(/^- \[.*?\]\((.*?)\)/gm)].map(([, link = '']) => nameOf(link)),
    }));
  const { title, html } = toHtml(root, file);
  return { groups, title, html };
}

/** `docs/guides/quick-start.md` is `quick-start`, `SECURITY.md` is `security`. */
function nameOf(file: string): string {
  return path.basename(file, '.md').toLowerCase();
}

function toHtml(root: string, file: string) {
  const sections: { id: string; title: string }[] = [];
  let title = '';
  let summary = '';
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) {
          title = text;
          return `<h1>${inner}</h1>\n`;
        }
        const id = idOf(text);
        if (depth === 2) sections.push({ id, title: text.replaceAll('`', '') });
        return `<h${depth} id="${id}">${inner}</h${depth}>\n`;
      },
      paragraph({ tokens, raw }: Tokens.Paragraph) {
        summary ||= raw
          .replaceAll(/\[(.*?)\]\(.*?\)/g, '$1')
          .replaceAll(/[`*]/g, '')
          .replaceAll(/\s+/g, ' ')
          .trim();
        return `<p>${this.parser.parseInline(tokens)}</p>\n`;
      },
      code({ text, lang = '' }: Tokens.Code) {
        const caption = captions[lang] ?? 'Text';
        return `<figure class="code"><figcaption><span>${caption}</span><button type="button" data-copy hidden>Copy</button></figcaption><pre tabindex="0"><code>${escapeText(text)}</code></pre></figure>\n`;
      },
      table({ header, rows }: Tokens.Table) {
        // A header without a text is none. In a narrow window a row is a list, whose items carry their headers.
        const cell = (tag: string, { tokens, text }: Tokens.TableCell, label = '') => {
          const name = text === '' ? 'td' : tag;
          const labelled = label && text ? ` data-label="${escapeText(label)}"` : '';
          return `<${name}${labelled}>${this.parser.parseInline(tokens)}</${name}>`;
        };
        const labelOf = (column: number) => (column > 0 ? header[column]?.text : '');
        const cells = (tag: string, row: Tokens.TableCell[]) =>
          `<tr>${row.map((one, column) => cell(tag, one, tag === 'td' ? labelOf(column) : '')).join('')}</tr>`;
        const head = header.some(({ text }) => text !== '') ? `<thead>${cells('th', header)}</thead>` : '';
        const body = rows.map((row) => cells('td', row)).join('\n');
        return `<div class="scroll" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeText(addressOf(root, file, href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        // Comments are for those who edit the text.
        return /^\s*<!--[\s\S]*-->\s*$/.test(text) ? '' : escapeText(text);
      },
    },
  });
  const html = marked.parse(readFileSync(path.join(root, file), 'utf8'), { async: false });
  return { title, html, sections, summary };
}

/** The address of what a guide links to. Files that are no guides are shown where the source is kept. */
function addressOf(root: string, from: string, href: string): string {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [target = '', fragment] = href.split('#');
  const file = path.posix.join(path.posix.dirname(from), target);
  const files = guideFiles(root);
  const suffix = fragment === undefined ? '' : `#${fragment}`;
  if (file === 'README.md' || file === files[0]) return `/docs/guides${suffix}`;
  if (!files.includes(file)) throw new Error(`${from} links to ${href}, which is no guide`);
  return `/docs/guides/${nameOf(file)}${suffix}`;
}

/** The anchor of a heading, as code hosts form it. */
export function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
