/**
 * What one warm request of each lane allocates on V8's heap: a measure that other work on the machine does not move. Compares it
 * with `allocation.yaml` and ends with 1 where a lane allocates more.
 *
 * Usage: node test/bench/allocation.ts [LANE...] [--places] [--floor]
 *   --floor    counts for the bench's bare proxy instead, which `/v1/chat` alone can be compared with, and compares nothing
 *   --places   prints where, by function, from V8's sampling profiler; the sums are then a little off
 */

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { parse } from 'yaml';
import { temporaryFolder } from '../lib/server.ts';
import { startFloor } from './parties/floor.ts';
import { switchyard } from './parties/switchyard.ts';
import { type Dialect, SCENARIOS } from './scenarios.ts';
import { startVendor } from './vendor/start.ts';

/** Until what is compiled and cached at first is no longer seen. */
const WARM_UP = 6_000;
const COUNTED = 10_000;
const CONNECTIONS = 8;

/** Each lane: what is asked, in which interface. */
export const LANES: Readonly<Record<string, readonly [scenario: string, dialect: Dialect]>> = {
  'chat, JSON': ['json', 'switchyard'],
  'chat, stream': ['stream', 'switchyard'],
  'native, JSON': ['json', 'openai'],
  'native, stream': ['stream', 'openai'],
  'native Anthropic, JSON': ['json', 'anthropic'],
  'native Anthropic, stream': ['stream', 'anthropic'],
  'call of a tool': ['json', 'mcp'],
};

interface Node {
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly selfSize: number;
  readonly children: readonly Node[];
}

export interface Allocated {
  /** Bytes of one request. */
  readonly bytes: number;
  /** The same by function, the largest first; empty unless asked for. */
  readonly places: readonly (readonly [place: string, bytes: number])[];
}

/** Throws where an answer is wrong. */
export async function allocatedBy(lane: string, withPlaces = false, ofFloor = false): Promise<Allocated> {
  const [name, dialect] = LANES[lane] ?? [];
  const scenario = SCENARIOS.find((each) => each.name === name);
  const dialogue = dialect && scenario?.dialects[dialect];
  if (!dialogue)
    throw new Error(`There is no lane ${JSON.stringify(lane)}; there are ${Object.keys(LANES).join('; ')}.`);
  const file = join(temporaryFolder(), 'allocated.json');
  const vendor = await startVendor();
  const probe = fileURLToPath(new URL('allocation-probe.js', import.meta.url));
  const flags = ['--import', probe];
  const env = { ALLOCATION_FILE: file, ALLOCATION_PLACES: withPlaces ? 'yes' : 'no' };
  const server = ofFloor
    ? await startFloor(vendor.origin, flags, env)
    : await switchyard({ name: lane, dialect, flags, env }).start(vendor.origin, 1);
  const [origin = ''] = server.origins;
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  const headers = { ...server.clients[0], 'content-type': 'application/json' };
  const body = JSON.stringify(dialogue.body(server.model));
  const ask = async () => {
    const reply = await pool.request({ method: 'POST', path: dialogue.path(server.model), headers, body });
    return reply.body.text();
  };
  const load = async (requests: number) => {
    let left = requests;
    const each = async () => {
      while (left-- > 0) await ask();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, each));
  };
  try {
    const fault = dialogue.fault(await ask());
    if (fault) throw new Error(`${lane}: ${fault}`);
    await load(WARM_UP);
    await told(server.servers[0], file);
    await load(COUNTED);
    const { bytes, profile } = await told(server.servers[0], file);
    return { bytes: bytes / COUNTED, places: profile ? placesIn(profile.head) : [] };
  } finally {
    await pool.close();
    await server.stop();
    vendor.process.kill();
  }
}

/** What the probe writes when it is told to. */
async function told(pid: number | undefined, file: string) {
  if (pid === undefined) throw new Error('There is no server.');
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file)) await pause(20);
  return JSON.parse(readFileSync(file, 'utf8')) as { bytes: number; profile?: { head: Node } };
}

function placesIn(head: Node): Allocated['places'] {
  const sums = new Map<string, number>();
  const add = ({ callFrame: { functionName, url, lineNumber }, selfSize, children }: Node) => {
    const place = `${functionName || '(anonymous)'} ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`;
    if (selfSize > 0) sums.set(place, (sums.get(place) ?? 0) + selfSize / COUNTED);
    for (const child of children) add(child);
  };
  add(head);
  return [...sums].sort(([, a], [, b]) => b - a);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { places: { type: 'boolean', default: false }, floor: { type: 'boolean', default: false } },
  });
  const table = new URL('allocation.yaml', import.meta.url);
  const most = parse(readFileSync(table, 'utf8')) as Readonly<Record<string, number>>;
  for (const lane of positionals.length > 0 ? positionals : Object.keys(LANES)) {
    const { bytes, places } = await allocatedBy(lane, values.places, values.floor);
    const bound = values.floor ? null : (most[lane] ?? 0);
    console.log(
      `${lane}: ${(bytes / 1000).toFixed(1)} kB${bound === null ? ' by the floor' : `, at most ${bound} kB`}`,
    );
    for (const [place, size] of places.slice(0, 120))
      console.log(`  ${size.toFixed(0).padStart(6)}  ${place}`);
    if (bound !== null && bytes > bound * 1000) process.exitCode = 1;
  }
}
