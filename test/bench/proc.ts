/** What processes use, by what /proc tells of them. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

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
