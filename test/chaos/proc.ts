/** What /proc tells of a process. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

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
