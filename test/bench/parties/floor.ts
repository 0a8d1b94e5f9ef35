import { performance } from 'node:perf_hooks';
import { freePort, startNode, stop } from '../../lib/server.ts';
import { firstAnswer } from '../first-answer.ts';
import type { Party, Running } from '../party.ts';

/** A bare Node proxy that does the same work on the bodies and nothing else, under Node's own settings: it may take the memory it likes. */
export const floor: Party = {
  name: 'floor',
  dialect: 'switchyard',
  start: (vendor) => startFloor(vendor),
};

/** @param flags of Node.js */
export async function startFloor(
  vendor: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const port = await freePort();
  const startedAt = performance.now();
  const file = new URL('../floor.ts', import.meta.url).pathname;
  const { child, logFile } = startNode([...flags, file, vendor, String(port)], env);
  const asked = {
    origin: `http://127.0.0.1:${port}`,
    dialect: 'switchyard',
    model: 'gpt-4o',
    headers: {},
  } as const;
  const coldStartMs = await firstAnswer(asked, child, logFile, startedAt);
  return {
    origins: [asked.origin],
    model: asked.model,
    clients: [{}],
    servers: [child.pid as number],
    stores: [],
    coldStartMs,
    stop: () => stop(child),
  };
}
