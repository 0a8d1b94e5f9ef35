/** `npm run bench`: how fast Switchyard is, measured as a stranger would; see `options.ts` and docs/reference/performance.md. */

import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { stop } from '../lib/server.ts';
import { moveTo, startedOn } from './cores.ts';
import { highestRates } from './highest.ts';
import { measure, type RoundPair } from './measure.ts';
import { type Options, optionsFrom, type Pair } from './options.ts';
import { type BenchResult, reportText } from './report.ts';
import { type PairSummary, ratioOf, spread, summarize } from './summary.ts';
import { startVendor } from './vendor/start.ts';

const say = (text: string) => process.stderr.write(`${text}\n`);

/** As many rounds as it takes for the ratio to be narrow, within bounds. */
async function measurePair(
  { base, party, scenario }: Pair,
  options: Options,
  vendor: string,
): Promise<PairSummary> {
  const rounds: RoundPair[] = [];
  const isEnough = () => {
    if (rounds.length >= options.maxRounds || rounds.some((round) => round.party.fault !== undefined))
      return true;
    return rounds.length >= options.rounds && spread(ratioOf(rounds, ({ cpu }) => cpu)) <= options.narrow;
  };
  while (!isEnough()) {
    say(`${scenario.title}: ${party.name} beside ${base.name}, round ${rounds.length + 1}`);
    const second = rounds.length % 2 === 0 ? 'party' : 'base';
    // Once is enough of what takes as long as all the rest of a round.
    const crowdSlots = rounds.length === 0 ? options.crowdSlots : 0;
    rounds.push(await measure({ ...options, crowdSlots, base, party, second, scenario, vendor }));
  }
  const { name, title } = scenario;
  return summarize({ scenario: name, title, base: base.name, party: party.name }, rounds);
}

async function bench(options: Options): Promise<BenchResult> {
  const machine = {
    date: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    loadAverage: loadavg()[0] ?? Number.NaN,
  };
  const { cores } = options;
  if (cores) moveTo(cores.load);
  if (options.highest)
    return { ...machine, pairs: [], highest: await highestRates(options.pairs, options, say) };
  const vendor = await (cores ? startedOn(cores.vendor, cores.load, startVendor) : startVendor());
  const pairs: PairSummary[] = [];
  for (const pair of options.pairs) pairs.push(await measurePair(pair, options, vendor.origin));
  await stop(vendor.process);
  return { ...machine, pairs, highest: [] };
}

try {
  const args = process.argv.slice(2);
  // It ends the process.
  if (args.some((each) => /^--minutes(=|$)/.test(each))) await import('./soak/main.ts');
  const options = optionsFrom(args);
  const result = await bench(options);
  console.log(reportText(result));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
  const failed =
    result.pairs.some((pair) => pair.failed > 0 || pair.fault !== undefined || pair.baseFailed > 0) ||
    result.highest.some((party) => party.failed > 0);
  process.exit(failed ? 1 : 0);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
