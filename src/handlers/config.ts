import type { ConfigChange as ChangeOnWire, LoadedConfig as OnWire } from '../../generated/types.gen.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import { ConfigError } from '../lib/config-error.ts';
import type { ConfigChange, ConfigControl, LoadedConfig } from '../lib/loaded-config.ts';
import { shorten } from '../lib/static-text.ts';
import { isoTime } from '../lib/utc.ts';
import { actorOf } from '../tenants/accounts/roles.ts';
import { ok } from './replies.ts';

/** Problems that an error lists. */
const maxDetails = 50;

export function configHandlers(config: ConfigControl) {
  return {
    readConfig: async () => ok(configView(config.current())),
    reloadConfig: async (_request, { principal }) => {
      const changes = await config.reload(actorOf(principal)).catch((thrown: unknown) => {
        throw thrown instanceof ConfigError ? refused(thrown) : thrown;
      });
      const current = configView(config.current());
      return ok({ object: 'config_reload' as const, changes: changes.map(changeView), config: current });
    },
  } satisfies Partial<Handlers>;
}

function refused({ problems }: ConfigError): ServiceError {
  const message = `The configuration was not reloaded; the old one remains in use. ${problems.join(' ')}`;
  const details = problems
    .slice(0, maxDetails)
    .map((problem) => ({ path: '', code: 'invalid', message: problem }));
  return new ServiceError('conflict', shorten(message, 4000), { details });
}

function configView({ file, loadedAt, digest, sections, needsRestart, refused }: LoadedConfig): OnWire {
  return {
    object: 'config',
    file,
    loaded_at: isoTime(loadedAt),
    digest,
    sections: sections.map(({ name, entries, reloadable }) => ({ name, entries: [...entries], reloadable })),
    needs_restart: needsRestart.map(changeView),
    refused: refused && { at: isoTime(refused.at), problems: [...refused.problems] },
  };
}

function changeView({ fields, ...change }: ConfigChange): ChangeOnWire {
  return { ...change, fields: [...fields] };
}
