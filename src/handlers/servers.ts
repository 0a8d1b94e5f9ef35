import type { RunningServer } from '../../generated/types.gen.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import { onWire } from '../lib/names.ts';
import { isoTime } from '../lib/utc.ts';
import type { ServerProcess } from '../tenants/accounts/servers.ts';

/** @param list the servers on the database */
export function serverHandlers(list: () => Promise<readonly ServerProcess[]>) {
  return {
    listServers: async () => ({
      status: 200,
      body: { object: 'list', data: (await list()).map(serverView) },
    }),
  } satisfies Partial<Handlers>;
}

function serverView({ seenAt, config, ...server }: ServerProcess): RunningServer {
  return { object: 'server', ...onWire(server), config_digest: config, last_seen_at: isoTime(seenAt) };
}
