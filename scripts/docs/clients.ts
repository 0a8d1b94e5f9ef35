import { vendorDefaults } from '../../src/gateway/routing/example-models.ts';
import { type Client, clientGroups } from '../../src/pages/connect/connect.ts';

/** The address that guides name; the server puts its own in its place. */
const base = 'http://127.0.0.1:8080';

/** How each client is set up, by groups. */
export function clientSections(): string {
  return clientGroups(base, vendorDefaults)
    .flatMap(({ title, clients }) => [`## ${title}`, ...clients.map(sectionOf)])
    .join('\n\n');
}

function sectionOf({ name, install, docs, notRun, blocks, note }: Client): string {
  const usual = blocks.length === 1;
  return [
    `### ${name}`,
    ...(install === undefined ? [] : [`\`${install}\``]),
    ...blocks.map(({ caption, lang, code }) => {
      const heading = usual && !caption.includes('.') ? '' : `${captioned(caption)}:\n\n`;
      const comment = notRun === undefined ? '' : `<!-- not run: ${notRun} -->\n`;
      return `${heading}${comment}\`\`\`${lang}\n${code}\n\`\`\``;
    }),
    ...(note === undefined ? [] : [note]),
    `[Documentation of ${name}](${docs})`,
  ].join('\n\n');
}

/** The caption, in which the path of a file is code. */
function captioned(caption: string): string {
  return caption.replace(/^\S*\.\w+/, (file) => `\`${file}\``);
}
