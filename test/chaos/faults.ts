import type { Fault } from './fault.ts';
import { damagedFile, fullDisk } from './faults/disk.ts';
import { buildFlood, keyFlood, passwordFlood, slowReaders } from './faults/floods.ts';
import { hostileClients } from './faults/hostile.ts';
import {
  abandonedLine,
  cutLine,
  delayedLine,
  killPostgres,
  resetLine,
  restartPostgres,
  silentLine,
  terminateBackends,
} from './faults/postgres.ts';
import {
  delayedRedis,
  forgetfulRedis,
  frozenRedis,
  killRedis,
  resetRedis,
  silentRedis,
} from './faults/redis.ts';
import { clockStep, drainServer, freezeServer, killServer, pidNamespaces } from './faults/servers.ts';
import { socketClients } from './faults/sockets.ts';
import { vendorBytes, vendorOddities } from './faults/vendor.ts';

/** Everything that can go wrong here. */
export const faults: readonly Fault[] = [
  killServer,
  drainServer,
  freezeServer,
  terminateBackends,
  restartPostgres,
  killPostgres,
  silentLine,
  abandonedLine,
  resetLine,
  delayedLine,
  cutLine,
  clockStep,
  fullDisk,
  damagedFile,
  pidNamespaces,
  vendorBytes,
  vendorOddities,
  hostileClients,
  socketClients,
  slowReaders,
  keyFlood,
  passwordFlood,
  buildFlood,
  killRedis,
  forgetfulRedis,
  frozenRedis,
  silentRedis,
  resetRedis,
  delayedRedis,
];
