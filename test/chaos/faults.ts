import type { Clients } from './client.ts';
import {
  abandonedLine,
  cutLine,
  delayedLine,
  delayedRedis,
  forgetfulRedis,
  frozenRedis,
  killPostgres,
  killRedis,
  resetLine,
  resetRedis,
  restartPostgres,
  silentLine,
  silentRedis,
  terminateBackends,
} from './faults/databases.ts';
import { damagedFile, fullDisk } from './faults/disk.ts';
import {
  brokenSockets,
  buildFlood,
  keyFlood,
  passwordFlood,
  slowReaders,
  socketClients,
} from './faults/floods.ts';
import { hostileClients } from './faults/hostile.ts';
import { mcpServer } from './faults/mcp.ts';
import {
  clockStep,
  drainServer,
  freezeServer,
  killServer,
  pidNamespaces,
  vendorBytes,
  vendorOddities,
} from './faults/servers.ts';
import type { Random } from './random.ts';
import type { Dialect } from './store.ts';
import type { World } from './world.ts';

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
  mcpServer,
  hostileClients,
  socketClients,
  brokenSockets,
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

/** What a fault gets to work with. */
export interface Scene {
  readonly world: World;
  readonly clients: Clients;
  readonly random: Random;
  readonly round: number;
  /** Tells of something that must not be, which no invariant would see at the end. */
  violated(what: string): void;
  /** Counts what was tried, for the figures. */
  tried(count: number): void;
}

/** Something that goes wrong, and is right again when its promise resolves, within a few seconds. */
export interface Fault {
  readonly name: string;
  /** Whom it befalls. */
  readonly stores: readonly Dialect[];
  /** Why it cannot be on this machine, or null. */
  missing?(world: World): string | null;
  /** Whether it needs servers whose clocks can be stepped. */
  readonly steps?: true;
  /** Whether the database cannot be used meanwhile, so that what runs may have to begin again. */
  readonly outage?: true;
  /** Whether it needs Redis to decide on limits. */
  readonly redis?: true;
  apply(scene: Scene): Promise<void>;
}
