import { ConfigError } from '../../lib/config-error.ts';
import type { ConfigControl } from '../../lib/loaded-config.ts';
import { changeInWords } from './config-view.ts';
import type { Flash } from './flash.ts';

/** Changes that a message names; it travels in a cookie. */
const shownChanges = 10;

/** Reloads the configuration for the administrator. */
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
    return { tone: 'good', message };
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    return { tone: 'bad', message: 'The configuration was not reloaded: its files are wrong.' };
  }
}
