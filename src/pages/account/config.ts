import { ConfigError } from '../../lib/config-error.ts';
import type { ConfigChange, ConfigControl, LoadedConfig } from '../../lib/loaded-config.ts';
import type { Session } from '../../tenants/accounts/sessions.ts';
import { type Html, html } from '../assets/html.ts';
import { adminPath, formHead, moment, table } from './parts.ts';
import { type Flash, good } from './reply.ts';

/** Names that a section shows; the rest are counted. */
const shownNames = 40;

/** The names in this server's file and settings, and the button that reads them again. */
export function configView(session: Session, config: LoadedConfig): Html {
  const { file, loadedAt, digest, sections, needsRestart, refused } = config;
  const rows = sections.map(({ name, entries, reloadable }) => [
    html`<code>${name}</code>`,
    namesView(entries),
    html`${reloadable ? 'after a reload' : 'after a restart'}`,
  ]);
  return html`<section class="panel"><h2>Configuration of this server</h2>
<p>${file === null ? html`There is no YAML file: <code>SWITCHYARD_CONFIG</code> is not set.` : html`The file is <code>${file}</code>.`} The configuration below has applied since ${moment(loadedAt)} (UTC). Its digest, which servers with the same configuration have in common, is <code>${digest}</code>.</p>
${
  refused !== null &&
  html`<div class="notice bad" role="alert"><p><strong>The reload at ${moment(refused.at)} (UTC) was refused, and nothing changed.</strong></p><ul>${refused.problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>`
}
${needsRestart.length > 0 && html`<p><strong>Changed, and needs a restart:</strong></p><ul>${needsRestart.map((change) => html`<li>${changeInWords(change)}</li>`)}</ul>`}
<form method="post" action="${adminPath}">${formHead(session, 'reload-config')}<div class="actions"><button class="button primary">Reload</button></div></form>
<p class="muted">Reads the file and the files of secrets again and applies the changes that need no restart, on this server only. Running requests finish with the old configuration.</p></section>
<section class="panel"><h2>Sections</h2>${table('Sections', ['Section', 'Entries', 'Changes apply'], rows)}</section>`;
}

function changeInWords({ section, name, change, fields }: ConfigChange): string {
  const what = fields.length > 0 ? ` (${fields.join(', ')})` : '';
  return section === name ? `${name} ${change}${what}` : `${section}: ${name} ${change}${what}`;
}

function namesView(names: readonly string[]): Html {
  if (names.length === 0) return html`<span class="muted">none</span>`;
  const more = names.length - shownNames;
  return html`<span class="chips">${names.slice(0, shownNames).map((name) => html`<span class="chip">${name}</span>`)}${more > 0 && html`<span class="muted">and ${more} more</span>`}</span>`;
}

/** Changes that a message names; it travels in a cookie. */
const shownChanges = 10;

export async function configAction(config: ConfigControl, actor: string): Promise<Flash> {
  try {
    const changes = await config.reload(actor);
    const words = changes.slice(0, shownChanges).map(changeInWords);
    const more = changes.length - words.length;
    if (more > 0) words.push(`${more} more`);
    const message =
      changes.length === 0
        ? 'The configuration was read again. Nothing that a reload exchanges has changed.'
        : `The configuration was reloaded: ${words.join('; ').slice(0, 800)}.`;
    return good(message);
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    return { tone: 'bad', message: 'The configuration was not reloaded: its files are wrong.' };
  }
}
