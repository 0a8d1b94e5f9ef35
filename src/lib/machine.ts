import { readFileSync, readlinkSync } from 'node:fs';

/** The boot id of the machine, on Linux; null elsewhere. Containers share that of their machine. */
export const bootId: string | null = read('/proc/sys/kernel/random/boot_id');

/** The namespace of process ids; null where it is unknown. */
export const processNamespace: string | null = link('/proc/self/ns/pid');

/** The status of a process from Linux. */
interface ProcessStatus {
  /** When it was started, in ticks since the machine was. Together with the process id it is unique. */
  readonly startedAt: string;
  /** It has ended, and only its parent has not asked how. */
  readonly ended: boolean;
}

/** Null where it cannot be read: that says nothing about the process. */
export function processStatus(pid: number): ProcessStatus | null {
  const text = read(`/proc/${pid}/stat`);
  // The second field is the name in parentheses, which may itself hold spaces and parentheses (proc_pid_stat(5)).
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, startedAt] = [fields?.[0], fields?.[19]];
  return state === undefined || startedAt === undefined ? null : { startedAt, ended: 'ZXx'.includes(state) };
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

function link(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
