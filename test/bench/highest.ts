/**
 * The highest rate that a gateway keeps up with: that at which it adds at most so much to 99 of 100 answers of a vendor that takes 20 ms.
 * Rates grow by a fifth until two in turn pass the widest bound: one may meet something else on the machine.
 */

import { stop } from '../lib/server.ts';
import { startedOn } from './cores.ts';
import { paceFrom } from './load/pace.ts';
import { load } from './load/wrk.ts';
import type { Options, Pair } from './options.ts';
import type { Party } from './party.ts';
import type { Scenario } from './scenarios.ts';
import { startVendor } from './vendor/start.ts';

/** What 99 of 100 answers may take longer than the vendor does, in milliseconds. */
export const BOUNDS_MS = [1, 5, 10, 50] as const;
const WIDEST_MS = Math.max(...BOUNDS_MS);
const VENDOR_MS = 20;
const LOWEST = 200;
/** Answers a second, so that a run ends. */
const HIGHEST = 100_000;
const STEP = 1.2;

export interface Highest {
  readonly scenario: string;
  readonly party: string;
  /** Answers a second for each of the bounds; 0: it keeps to it at no rate. */
  readonly rates: readonly number[];
  readonly failed: number;
}

/** Each party of the pairs once, in each of their scenarios. */
export async function highestRates(
  pairs: readonly Pair[],
  options: Options,
  say: (text: string) => void,
): Promise<Highest[]> {
  const results: Highest[] = [];
  const has = (scenario: Scenario, { name }: Party) =>
    results.some((one) => one.scenario === scenario.title && one.party === name);
  const { cores } = options;
  const start = () => startVendor(VENDOR_MS);
  const vendor = await (cores ? startedOn(cores.vendor, cores.load, start) : start());
  for (const { base, party, scenario } of pairs)
    for (const one of [base, party]) {
      if (has(scenario, one)) continue;
      say(`${scenario.title}: ${one.name}`);
      results.push(await highestOf(one, scenario, options, vendor.origin, say));
    }
  await stop(vendor.process);
  return results;
}

async function highestOf(
  party: Party,
  scenario: Scenario,
  { cores, warmUpSeconds, rateSeconds }: Options,
  vendor: string,
  say: (text: string) => void,
): Promise<Highest> {
  const dialogue = scenario.dialects[party.dialect];
  if (!dialogue) throw new Error(`${party.name} does not speak what "${scenario.name}" needs.`);
  const start = () => party.start(vendor, 1);
  const running = await (cores ? startedOn(cores.gateway, cores.load, start) : start());
  const { origins, clients, model } = running;
  const asked = {
    origin: origins[0] as string,
    path: dialogue.path(model),
    headers: clients[0] ?? {},
    body: JSON.stringify(dialogue.body(model)),
  };
  try {
    const { failed } = await load(running, dialogue, scenario.connections, warmUpSeconds);
    const rates = BOUNDS_MS.map(() => 0);
    let passed = 0;
    for (let rate = LOWEST; rate < HIGHEST && passed < 2; rate = Math.ceil(rate * STEP)) {
      const paced = await paceFrom(cores?.loads ?? 1, asked, rate, rateSeconds);
      const added = paced.p99 - VENDOR_MS;
      say(`  ${rate} a second: ${added.toFixed(1)} ms more than the vendor, ${paced.failed} failed`);
      // Some refuse what is too much for them.
      if (paced.failed > 0) break;
      for (const [at, bound] of BOUNDS_MS.entries()) if (added <= bound) rates[at] = rate;
      passed = added > WIDEST_MS ? passed + 1 : 0;
    }
    return { scenario: scenario.title, party: party.name, rates, failed };
  } finally {
    await running.stop();
  }
}
