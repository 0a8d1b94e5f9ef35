import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What /proc tells of a process. */

export interface Open {
  /** Descriptors but for connections to `ports.vendor`. */
  readonly descriptors: number;
  /** Connections to `ports.own`, which clients have opened. */
  readonly inbound: number;
}

/** What a process has open. Zero of everything for one that has ended. */
export function openOf(pid: number, ports: { readonly own: number; readonly vendor: number }): Open {
  const sockets = connectionsOf(pid);
  let descriptors = 0;
  let inbound = 0;
  for (const fd of list(`/proc/${pid}/fd`)) {
    const inode = /^socket:\[(\d+)\]$/.exec(link(`/proc/${pid}/fd/${fd}`))?.[1];
    const socket = inode === undefined ? undefined : sockets.get(inode);
    if (socket?.remote === ports.vendor) continue;
    descriptors += 1;
    if (socket?.local === ports.own && !socket.listening) inbound += 1;
  }
  return { descriptors, inbound };
}

export function threadsOf(pid: number): number {
  return list(`/proc/${pid}/task`).length;
}

/** Resident memory in MB (10^6 bytes); 0 for a process that has ended. */
export function rssOf(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? '0';
  return Math.round((Number(kibibytes) * 1024) / 1e6);
}

export function childrenOf(pid: number): number[] {
  return list(`/proc/${pid}/task`).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
}

interface Connection {
  readonly local: number;
  readonly remote: number;
  readonly listening: boolean;
}

function connectionsOf(pid: number): Map<string, Connection> {
  const found = new Map<string, Connection>();
  for (const family of ['tcp', 'tcp6']) {
    for (const line of read(`/proc/${pid}/net/${family}`).split('\n').slice(1)) {
      const [, local = '', remote = '', state, , , , , , inode] = line.trim().split(/\s+/);
      if (inode === undefined) continue;
      found.set(inode, { local: portIn(local), remote: portIn(remote), listening: state === '0A' });
    }
  }
  return found;
}

const portIn = (address: string) => Number.parseInt(address.split(':')[1] ?? '', 16);

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function link(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

const lastActs: (() => void)[] = [];

// 'exit' is on every way out, also of process.exit() and of an uncaught error.
process.once('exit', () => {
  for (const act of lastActs.reverse()) act();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

/** Runs it, whatever happens, before this process ends; the last first. It cannot wait for anything. */
export function atTheEnd(act: () => void): void {
  lastActs.push(act);
}

/** A folder of the run, removed at its end unless `keep` says to leave everything. */
export function runFolder(keep: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-chaos-'));
  // The database may run as another user, who has to get through to what is its own.
  chmodSync(folder, 0o711);
  if (!keep) atTheEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Whether this process may mount a file system of a size of its own, which is what a disk that gets full is made of. */
function canMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** Mounts a small file system in memory on a folder; false where that is not allowed. */
export function mountSmall(folder: string, megabytes: number): boolean {
  if (!canMount()) return false;
  const options = `size=${megabytes}m,mode=0777`;
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'chaos', folder]);
  if (status !== 0) return false;
  atTheEnd(() => unmount(folder));
  return true;
}

export function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder], { stdio: 'ignore' });
}
