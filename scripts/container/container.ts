/** Runs the root file system of an image by runc, without rights. */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What an image says of how it is run. */
export interface Image {
  readonly root: string;
  readonly entrypoint: readonly string[];
  readonly healthcheck: readonly string[];
  readonly env: readonly string[];
  /** By their numbers. */
  readonly user: { readonly uid: number; readonly gid: number };
  readonly cwd: string;
}

export interface Container {
  /** Of its first process, on this machine. */
  readonly pid: number;
  /** What it has printed so far. */
  output(): string;
  /** Runs a command in it and returns its exit code. */
  run(args: readonly string[]): number | null;
  /** Ends it by SIGTERM and resolves with its exit code; null: it had to be killed. */
  stop(): Promise<number | null>;
}

export interface Given {
  readonly env: Readonly<Record<string, string>>;
  /** The only folder that it can write, as /data; left out: there is none. */
  readonly data?: string;
  readonly memoryMb: number;
}

interface Inspected {
  readonly Docker: {
    readonly config: {
      readonly User: string;
      readonly Env: string[];
      readonly Entrypoint: string[];
      readonly WorkingDir: string;
      readonly Healthcheck: { readonly Test: string[] };
    };
  };
}

/**
 * @param root where its file system is mounted
 * @param inspected what `buildah inspect --type image` prints
 */
export function imageAt(root: string, inspected: string): Image {
  const { User, Env, Entrypoint, WorkingDir, Healthcheck } = (JSON.parse(inspected) as Inspected).Docker
    .config;
  const [uid, gid] = User.split(':').map(Number);
  if (!uid || !gid)
    throw new Error(`The image runs as "${User}", which is not a user and a group by number.`);
  const healthcheck = Healthcheck.Test.slice(1);
  return { root, entrypoint: Entrypoint, healthcheck, env: Env, user: { uid, gid }, cwd: WorkingDir };
}

/** Starts a container in the network of this machine. */
export function start(image: Image, { env, data, memoryMb }: Given): Container {
  const bundle = mkdtempSync(path.join(tmpdir(), 'switchyard-container-'));
  const id = path.basename(bundle);
  const limit = memoryMb * 1024 * 1024;
  const mounts = [
    { destination: '/proc', type: 'proc', source: 'proc' },
    { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
    { destination: '/sys', type: 'sysfs', source: 'sysfs', options: ['nosuid', 'noexec', 'nodev', 'ro'] },
    {
      destination: '/sys/fs/cgroup',
      type: 'cgroup',
      source: 'cgroup',
      options: ['nosuid', 'noexec', 'nodev', 'ro'],
    },
    ...(data ? [{ destination: '/data', type: 'bind', source: data, options: ['bind', 'rw'] }] : []),
  ];
  const config = {
    ociVersion: '1.0.2',
    process: {
      user: image.user,
      args: image.entrypoint,
      env: [...image.env, ...Object.entries(env).map((pair) => pair.join('='))],
      cwd: image.cwd,
      capabilities: {},
      noNewPrivileges: true,
    },
    root: { path: image.root, readonly: true },
    mounts,
    linux: {
      namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
      resources: { memory: { limit, swap: limit } },
      cgroupsPath: `/${id}`,
    },
  };
  writeFileSync(path.join(bundle, 'config.json'), JSON.stringify(config));
  const state = path.join(bundle, 'state');
  mkdirSync(state);
  const runc = (...args: readonly string[]) => ['--root', state, ...args];
  const child = spawn('runc', runc('run', '--bundle', bundle, id), { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  return {
    get pid() {
      return (JSON.parse(execFileSync('runc', runc('state', id), { encoding: 'utf8' })) as { pid: number })
        .pid;
    },
    output: () => output,
    run: (args) => spawnSync('runc', runc('exec', id, ...args), { stdio: 'ignore' }).status,
    async stop() {
      spawnSync('runc', runc('kill', id, 'TERM'));
      const late = setTimeout(() => spawnSync('runc', runc('kill', id, 'KILL')), 60_000);
      const [code] = await ended;
      clearTimeout(late);
      rmSync(bundle, { recursive: true, force: true });
      return code;
    },
  };
}

/** What the kernel says of a process, by name. */
export function statusOf(pid: number): Readonly<Record<string, string>> {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(':\t').map((part) => part.trim())));
}

/** The memory of the control group of a process, in bytes: what it may have, and the most that it has had. */
export function memoryOf(pid: number): { readonly limit: number; readonly peak: number } {
  const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8').trim().split('\n');
  const first = groups.find((line) => line.split(':')[1] === 'memory');
  const folder = first
    ? `/sys/fs/cgroup/memory${first.split(':')[2]}`
    : `/sys/fs/cgroup${groups[0]?.split(':')[2]}`;
  const read = (name: string) => Number(readFileSync(path.join(folder, name), 'utf8'));
  const names = first
    ? (['memory.limit_in_bytes', 'memory.max_usage_in_bytes'] as const)
    : (['memory.max', 'memory.peak'] as const);
  return { limit: read(names[0]), peak: read(names[1]) };
}
