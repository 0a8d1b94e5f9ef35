import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Cores, startedOn } from './cores.ts';
import { type Crowd, crowd } from './crowds.ts';
import { askOnce } from './first-answer.ts';
import { type Paced, pace } from './load/pace.ts';
import { load, type Slot } from './load/wrk.ts';
import type { Party, Running } from './party.ts';
import type { Dialogue, Scenario } from './scenarios.ts';

/** One round: two parties are restarted, alone on the machine, and measured in short slots in turn. */

/** What a party did in one round. Times in milliseconds, memory in MB. */
export interface Round {
  readonly answered: number;
  readonly failed: number;
  readonly fault?: string | undefined;
  /** Answers a second. */
  readonly rate: number;
  /** Processor time for an answer, of the servers and of the stores behind them. */
  readonly cpu: number;
  readonly storeCpu: number;
  /** The same in the first second of load, while much of the code is not compiled yet. */
  readonly firstCpu: number;
  readonly p50: number;
  readonly p99: number;
  readonly coldStart: number;
  readonly memoryAtStart: number;
  readonly memory: number;
  readonly memoryPeak: number;
  /** After the time without load; NaN where there was none. */
  readonly memoryIdle: number;
  readonly crowds: readonly Crowd[];
  readonly paced?: Paced | undefined;
}

export interface Pairing {
  readonly base: Party;
  readonly party: Party;
  /** Which of them is started second, as that may be worth something. */
  readonly second: 'base' | 'party';
  readonly scenario: Scenario;
  readonly vendor: string;
  /** Slots of each party, and how long each and the warm-up is, in seconds. */
  readonly slots: number;
  readonly slotSeconds: number;
  readonly warmUpSeconds: number;
  readonly pacedSeconds: number;
  /** For each number of connections by which latencies are measured; 0: they are not. */
  readonly crowdSlots: number;
  /** Without load, at the end. */
  readonly idleSeconds: number;
  readonly cores: Cores | null;
}

export interface RoundPair {
  readonly base: Round;
  readonly party: Round;
}

export async function measure(pairing: Pairing): Promise<RoundPair> {
  const { scenario, vendor, second, cores } = pairing;
  const parties: Party[] = [pairing.base, pairing.party];
  if (second === 'base') parties.reverse();
  const sides: Side[] = [];
  try {
    for (const party of parties) {
      const dialogue = scenario.dialects[party.dialect];
      if (!dialogue) throw new Error(`${party.name} does not speak what "${scenario.name}" needs.`);
      const start = () => party.start(vendor, scenario.keys ?? 1);
      const running = await (cores ? startedOn(cores.gateway, cores.load, start) : start());
      sides.push(new Side(pairing, party.dialect, dialogue, running));
    }
    await Promise.all(sides.map((side) => side.warmUp()));
    for (let slot = 0; slot < pairing.slots; slot += 1) {
      // Who is first in a slot changes, as the second finds the machine warmer.
      for (const side of slot % 2 === 0 ? sides : sides.toReversed()) await side.measure();
    }
    for (const connections of pairing.crowdSlots > 0 ? (scenario.crowds ?? []) : [])
      for (const side of sides) await side.crowd(connections);
    for (const side of sides) await side.pace();
    const results = await Promise.all(sides.map((side) => side.result()));
    if (second === 'base') results.reverse();
    const [base, party] = results;
    return { base: base as Round, party: party as Round };
  } finally {
    await Promise.all(sides.map((side) => side.running.stop()));
  }
}

/** One of the two. */
class Side {
  readonly running: Running;
  readonly #pairing: Pairing;
  readonly #dialect: Party['dialect'];
  readonly #dialogue: Dialogue;
  readonly #slots: Slot[] = [];
  readonly #memoryAtStart: number;
  #cpu = 0;
  #storeCpu = 0;
  #firstCpu = Number.NaN;
  #fault: string | undefined;
  readonly #crowds: Crowd[] = [];
  #paced: Paced | undefined;

  constructor(pairing: Pairing, dialect: Party['dialect'], dialogue: Dialogue, running: Running) {
    this.#pairing = pairing;
    this.#dialect = dialect;
    this.#dialogue = dialogue;
    this.running = running;
    this.#memoryAtStart = this.#memoryNow();
  }

  /** Until what every request runs is compiled: for as long as servers run, that is soon over. */
  async warmUp(): Promise<void> {
    const { scenario, warmUpSeconds } = this.#pairing;
    const { servers } = this.running;
    await this.#judge();
    if (this.#fault !== undefined) return;
    const cpu = cpuTimeOf(servers);
    const { answered } = await load(this.running, this.#dialogue, scenario.connections, 1);
    this.#firstCpu = (cpuTimeOf(servers) - cpu) / answered;
    await load(this.running, this.#dialogue, scenario.connections, warmUpSeconds);
  }

  async measure(): Promise<void> {
    // Whoever answers errors is shown as failed and costs no more time.
    if (this.#fault !== undefined) return;
    const { scenario, slotSeconds } = this.#pairing;
    const { servers, stores } = this.running;
    const [cpu, storeCpu] = [cpuTimeOf(servers), cpuTimeOf(stores)];
    this.#slots.push(await load(this.running, this.#dialogue, scenario.connections, slotSeconds));
    this.#cpu += cpuTimeOf(servers) - cpu;
    this.#storeCpu += cpuTimeOf(stores) - storeCpu;
  }

  async crowd(connections: number): Promise<void> {
    if (this.#fault !== undefined) return;
    this.#crowds.push(await crowd(this.running, this.#dialogue, connections, this.#pairing.crowdSlots));
  }

  async pace(): Promise<void> {
    const { scenario, pacedSeconds } = this.#pairing;
    if (this.#fault !== undefined || !scenario.pace || pacedSeconds === 0) return;
    const { origins, clients, model } = this.running;
    const { path, body } = this.#dialogue;
    const asked = {
      origin: origins[0] as string,
      path: path(model),
      headers: clients[0] ?? {},
      body: JSON.stringify(body(model)),
    };
    this.#paced = await pace(asked, scenario.pace, pacedSeconds);
  }

  async result(): Promise<Round> {
    if (this.#fault === undefined) await this.#judge();
    const answered = sum(this.#slots, (slot) => slot.answered);
    const memory = this.#memory();
    const { idleSeconds } = this.#pairing;
    await pause(1_000 * idleSeconds);
    return {
      answered,
      failed:
        sum(this.#slots, (slot) => slot.failed) +
        (this.#paced?.failed ?? 0) +
        sum(this.#crowds, (one) => one.failed),
      fault: this.#fault,
      rate: answered / sum(this.#slots, (slot) => slot.seconds),
      cpu: this.#cpu / answered,
      storeCpu: this.#storeCpu / answered,
      firstCpu: this.#firstCpu,
      p50: Math.max(...this.#slots.map(({ p50 }) => p50)),
      p99: Math.max(...this.#slots.map(({ p99 }) => p99)),
      coldStart: this.running.coldStartMs,
      memoryAtStart: this.#memoryAtStart,
      memory: sum(memory, ({ rss }) => rss),
      memoryPeak: sum(memory, ({ rss, peak }) => peak ?? rss),
      memoryIdle: idleSeconds > 0 ? this.#memoryNow() : Number.NaN,
      crowds: this.#crowds,
      paced: this.#paced,
    };
  }

  /** Reads one answer to its end: the load generator looks at the status only. */
  async #judge(): Promise<void> {
    const { origins, clients, model } = this.running;
    for (const [number, origin] of origins.entries()) {
      const headers = clients[number % clients.length] ?? {};
      const { fault } = await askOnce(
        { origin, dialect: this.#dialect, model, headers },
        this.#dialogue,
      ).catch((error: Error) => ({ fault: error.message }));
      this.#fault ??= fault;
    }
  }

  #memoryNow(): number {
    return sum(this.#memory(), ({ rss }) => rss);
  }

  #memory(): Memory[] {
    return this.running.servers.flatMap((pid) => memoryOf(pid) ?? []);
  }
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

/** What processes use, by what /proc tells of them. */

/** The unit of processor time in /proc: 100 to the second on every Linux that runs Node. */
const TICK_MS = 10;

export interface Memory {
  /** Resident now, in MB (10^6 bytes). */
  readonly rss: number;
  /** The most it ever was, where the system tells. */
  readonly peak?: number;
}

/** Undefined for a process that has ended. */
export function memoryOf(pid: number): Memory | undefined {
  const megabytes = (kibibytes: string | undefined) => (Number(kibibytes) * 1024) / 1e6;
  const status = readProc(pid, 'status');
  if (status !== undefined) {
    const field = (name: string) => status.match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))?.[1];
    return { rss: megabytes(field('VmRSS')), peak: megabytes(field('VmHWM')) };
  }
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout?.trim() ? { rss: megabytes(stdout) } : undefined;
}

/**
 * Processor time that processes have used so far, in ms, with what those have used that they started, whether these still
 * run or have been waited for.
 */
export function cpuTimeOf(pids: readonly number[]): number {
  const times = new Map<number, { parent: number; own: number }>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readProc(Number(name), 'stat') : undefined;
    if (stat === undefined) continue;
    // After the name, which stands in parentheses and may hold blanks, come fields 3, 4, …; 4 is the parent, 14 to 17
    // are the times in user and in system mode, its own and of its children that have ended.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + (fields[index] ?? 0), 0);
    times.set(Number(name), { parent: fields[1] ?? 0, own: ticks * TICK_MS });
  }
  const belongs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at; at = times.get(at)?.parent) if (pids.includes(at)) return true;
    return false;
  };
  return [...times].reduce((sum, [pid, { own }]) => (belongs(pid) ? sum + own : sum), 0);
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
