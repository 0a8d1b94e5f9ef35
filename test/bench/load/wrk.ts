/** The load generator of closed loops: wrk, which costs a tenth of what it asks. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { temporaryFolder, watch } from '../../lib/server.ts';
import type { Running } from '../party.ts';
import type { Dialogue } from '../scenarios.ts';

export interface Slot {
  /** Answers with a status below 400, and in how many seconds. */
  readonly answered: number;
  readonly seconds: number;
  /** Other answers, broken connections, and those that nothing came on. */
  readonly failed: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Asks each process of a party for so many seconds, over so many connections in all. */
export async function load(
  running: Running,
  dialogue: Dialogue,
  connections: number,
  seconds: number,
): Promise<Slot> {
  const { origins, clients } = running;
  const each = Math.max(1, Math.floor(connections / origins.length));
  const slots = await Promise.all(
    origins.map((origin, number) => {
      // Tenants of its own for each process, or the same for all of them.
      const own = clients.length === origins.length ? [clients[number] ?? {}] : clients;
      return loadOne(origin, running.model, own, dialogue, each, seconds);
    }),
  );
  return slots.reduce((sum, slot) => ({
    answered: sum.answered + slot.answered,
    seconds: Math.max(sum.seconds, slot.seconds),
    failed: sum.failed + slot.failed,
    p50: Math.max(sum.p50, slot.p50),
    p99: Math.max(sum.p99, slot.p99),
  }));
}

async function loadOne(
  origin: string,
  model: string,
  clients: Running['clients'],
  { path, body }: Dialogue,
  connections: number,
  seconds: number,
): Promise<Slot> {
  const folder = temporaryFolder();
  const script = join(folder, 'load.lua');
  writeFileSync(script, scriptOf(path(model), JSON.stringify(body(model)), clients));
  const length = String(Math.max(1, Math.round(seconds)));
  const args = ['-t1', `-c${connections}`, `-d${length}s`, '--timeout', '10s', '-s', script, origin];
  const child = watch(spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] }));
  const failed = once(child, 'error').then(([error]) => {
    throw new Error(`The load generator does not start (\`apt-get install wrk\`): ${error}`);
  });
  const printed = await Promise.race([text(child.stdout), failed]);
  const result = printed.match(/^RESULT (.*)$/m)?.[1];
  if (result === undefined) throw new Error(`wrk says: ${printed}`);
  const { requests, micros, failures, p50, p99 } = JSON.parse(result);
  return {
    answered: requests - failures,
    seconds: micros / 1e6,
    failed: failures,
    p50: p50 / 1000,
    p99: p99 / 1000,
  };
}

/** Clients take turns, each with its headers; the requests are put together before the load begins. */
function scriptOf(path: string, body: string, clients: Running['clients']): string {
  const headers = clients.map((client) => {
    const all = { 'content-type': 'application/json', ...client };
    return `{${Object.entries(all).map(([name, value]) => `[${quoted(name)}]=${quoted(value)}`)}}`;
  });
  return `local body = ${quoted(body)}
local requests, turn = {}, 0
function init()
  for n, headers in ipairs({${headers}}) do requests[n] = wrk.format("POST", ${quoted(path)}, headers, body) end
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
function done(summary, latency)
  local e = summary.errors
  local failures = e.status + e.connect + e.read + e.write + e.timeout
  io.write(string.format('RESULT {"requests":%d,"micros":%d,"failures":%d,"p50":%d,"p99":%d}\\n',
    summary.requests, summary.duration, failures, latency:percentile(50), latency:percentile(99)))
end
`;
}

/** As a string of Lua, which knows what JSON escapes but for slashes and code points. */
function quoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `"${escaped}"`;
}
