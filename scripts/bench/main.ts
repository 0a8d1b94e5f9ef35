/**
 * `npm run bench`: how fast Switchyard is, measured against the floor (a bare Node proxy that
 * does the same JSON work) and, if one is named, a peer: same machine, same run, same mock vendor.
 * Targets take turns within each round, so that a drift of the machine meets them all alike.
 */

import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import type { Job, LoadResult, Target } from './load.ts';
import { type Options, optionsFrom, type Peer } from './options.ts';
import { cpuTimeOf, memoryOf, nextMessage, startOwn, stop } from './processes.ts';
import { reportText } from './report.ts';
import type { Scenario } from './scenarios.ts';
import { type BenchResult, median, type ScenarioSummary, summarize } from './summary.ts';
import { type Launch, startSwitchyard } from './switchyard.ts';

const say = (text: string) => process.stderr.write(`${text}\n`);

async function startServer(file: string, args: string[], flags: string[] = []) {
  const child = startOwn(file, args, flags);
  const { port } = await nextMessage<{ port: number }>(child);
  return { process: child, origin: `http://127.0.0.1:${port}` };
}

/** One run of the load generator against one target, with the processor time the target took. */
async function measure(load: ChildProcess, job: Job): Promise<LoadResult> {
  const cpuTime = () => job.target.pid && cpuTimeOf(job.target.pid);
  const before = cpuTime();
  load.send(job);
  const result = await nextMessage<LoadResult>(load);
  const after = cpuTime();
  const { answered, figures } = result;
  if (before === undefined || after === undefined || figures.rate === undefined) return result;
  const cpuPerAnswer = (after - before) / answered;
  const cpuShare = (cpuPerAnswer * figures.rate) / 10;
  return { ...result, figures: { ...figures, cpuPerAnswer, cpuShare } };
}

async function runScenario(
  scenario: Scenario,
  targets: readonly Target[],
  load: ChildProcess,
  options: Options,
): Promise<ScenarioSummary> {
  const { name, title } = scenario;
  const connections = options.connections ?? scenario.connections;
  const ask = (target: Target, seconds: number) =>
    measure(load, { scenario: name, target, connections, seconds });

  say(`${title}: warm-up`);
  for (const target of targets) {
    const { firstFault } = await ask(target, options.warmUp);
    if (firstFault !== undefined) throw new Error(`${name}, ${target.name} fails: ${firstFault}`);
  }
  const results = new Map<string, LoadResult[]>(targets.map((target) => [target.name, []]));
  for (let round = 1; round <= options.rounds; round += 1) {
    say(`${title}: round ${round} of ${options.rounds}`);
    for (const target of targets) {
      results.get(target.name)?.push(await ask(target, options.seconds));
    }
  }
  return { scenario: name, title, connections, targets: summarize(results) };
}

async function coldStarts(launch: Launch, count: number): Promise<BenchResult['coldStart']> {
  say('Cold starts');
  const starts: number[] = [];
  while (starts.length < count) {
    const switchyard = await startSwitchyard(launch);
    starts.push(switchyard.coldStart);
    await stop(switchyard.process);
  }
  return { median: median(starts), starts };
}

/** The arguments of `npm start`, so that what is measured is what users run. */
function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ').slice(1);
}

function peerTarget({ url, model, headers }: Peer): Target {
  const base = url.href.replace(/\/chat\/completions$/, '');
  return { name: 'peer', base, dialect: 'openai', model, headers };
}

/** The same server, asked as a client of OpenAI's asks it: its vendor speaks that wire, so bytes pass. */
function nativeLane(switchyard: Target): Target {
  return { ...switchyard, name: 'native lane', base: `${switchyard.base}/v1`, dialect: 'openai' };
}

async function bench(options: Options): Promise<BenchResult> {
  const machine = {
    date: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    loadAverage: loadavg()[0] ?? Number.NaN,
  };
  const vendor = await startServer('./vendor.ts', [String(options.vendorPort)]);
  // Under the same flags, so that what is compared is the work and not how much memory it may take.
  const flags = startArguments().filter((argument) => argument.startsWith('--'));
  const floor = await startServer('./floor.ts', [vendor.origin], flags);
  const launch: Launch = {
    args: options.server ? [options.server] : startArguments(),
    env: options.env,
    vendor: vendor.origin,
  };
  const switchyard = await startSwitchyard(launch);
  const load = startOwn('./load.ts');
  await nextMessage(load);

  const targets: Target[] = [
    { ...switchyard.target, name: 'floor', base: floor.origin, pid: floor.process.pid },
    switchyard.target,
    nativeLane(switchyard.target),
    ...(options.peer ? [peerTarget(options.peer)] : []),
  ];
  const scenarios: ScenarioSummary[] = [];
  const memoryNow = () =>
    Object.fromEntries(
      targets.flatMap(({ name, pid }) => {
        const now = pid && memoryOf(pid);
        return now ? [[name, now]] : [];
      }),
    );
  let memory = memoryNow();
  for (const scenario of options.scenarios) {
    const able = scenario.alone ? [switchyard.target] : targets;
    scenarios.push(await runScenario(scenario, able, load, options));
    if (!scenario.alone) memory = memoryNow();
  }
  await Promise.all([load, floor.process, switchyard.process].map(stop));
  const coldStart = await coldStarts(launch, options.coldStarts);
  await stop(vendor.process);

  const { rounds, seconds: secondsPerRound } = options;
  return { ...machine, rounds, secondsPerRound, scenarios, memory, coldStart };
}

try {
  const options = optionsFrom(process.argv.slice(2));
  const result = await bench(options);
  console.log(reportText(result));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
  const failed = result.scenarios.some(({ targets }) => targets.some((each) => each.failed > 0));
  process.exit(failed ? 1 : 0);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
