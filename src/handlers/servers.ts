import type { RunningServer } from '../../generated/types.gen.ts';
import type { Handlers } from '../contract/wire-operations.ts';
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

function serverView({ startedAt, seenAt, config, ...server }: ServerProcess): RunningServer {
  return {
    object: 'server',
    ...server,
    config_digest: config,
    started_at: isoTime(startedAt),
    last_seen_at: isoTime(seenAt),
  };
}
