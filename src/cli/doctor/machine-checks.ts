import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { nodeFault } from '../../lib/brotli-guard.ts';
import { nodeLine, nodeLinesText, otherNodeLine } from '../../lib/node-lines.js';
import { checkDisk } from '../../observe/disk-check.ts';
import { codeOf, fail, ok, type Result, warn } from './result.ts';

/** Open files that a server with many connections needs: each request has one, and often a second to its vendor. */
const wantedFiles = 4096;
const leastFiles = 256;
const wantedMemory = 512 * 2 ** 20;
const leastMemory = 192 * 2 ** 20;

export function checkNode(version = process.versions.node): Result {
  const major = Number(version.split('.')[0]);
  const message = `Node.js ${version}`;
  if (major === nodeLine || major === otherNodeLine) return ok('node', message);
  const advice = `Switchyard runs on ${nodeLinesText}; "npm ci" brings the first, and "npm start" uses it.`;
  return major < otherNodeLine ? fail('node', message, advice) : warn('node', message, advice);
}

export function checkNodeFaults(version = process.versions.node): Result {
  const fault = nodeFault(version);
  if (fault === null) return ok('node faults', 'None is known that the server has to keep away from.');
  return warn('node faults', fault.message, fault.advice);
}

/** Reads `/proc`; other systems have no such figures. */
export async function checkFiles(): Promise<Result> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const text = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  if (text === undefined) return ok('open files', 'The limit cannot be read on this system.');
  const most = text === 'unlimited' ? Number.POSITIVE_INFINITY : Number(text);
  const message = `A process may have ${text} files and connections open.`;
  if (most >= wantedFiles) return ok('open files', message);
  const advice = `Raise it to ${wantedFiles} or more: "ulimit -n", LimitNOFILE of systemd, or --ulimit of the container.`;
  return most < leastFiles ? fail('open files', message, advice) : warn('open files', message, advice);
}

export function checkMemory(constrained = process.constrainedMemory(), all = totalmem()): Result {
  const memory = constrained > 0 ? Math.min(constrained, all) : all;
  const limited = memory < all ? 'The limit of memory is' : 'The machine has';
  const message = `${limited} ${Math.floor(memory / 2 ** 20)} MiB.`;
  if (memory >= wantedMemory) return ok('memory', message);
  const advice = `Give it ${wantedMemory / 2 ** 20} MiB or more.`;
  return memory < leastMemory ? fail('memory', message, advice) : warn('memory', message, advice);
}

export async function checkDataDirectory({ dataDir }: Config): Promise<Result> {
  const name = 'data directory';
  const advice = `Make room in ${dataDir}, or give its user the right to write there; DATA_DIR names another one.`;
  try {
    const found = await stat(dataDir).catch(() => null);
    if (found === null) return await checkParent(dataDir);
    if (!found.isDirectory())
      return fail(name, `${dataDir} is no directory.`, 'Set DATA_DIR to a directory.');
    return ok(name, `${dataDir}: ${await checkDisk(dataDir)}`);
  } catch (error) {
    return fail(name, `${dataDir}: ${error instanceof Error ? error.message : codeOf(error)}`, advice);
  }
}

/** A directory that is not there yet is made at the first start, if that can be. */
async function checkParent(dataDir: string): Promise<Result> {
  let parent = path.dirname(dataDir);
  while ((await stat(parent).catch(() => null)) === null && parent !== path.dirname(parent))
    parent = path.dirname(parent);
  try {
    await access(parent, constants.W_OK);
    return ok('data directory', `${dataDir} is not there yet, and can be made.`);
  } catch (error) {
    const message = `${dataDir} is not there and cannot be made (${codeOf(error)}).`;
    return fail('data directory', message, `Give the right to write in ${parent}, or set DATA_DIR.`);
  }
}

/** Takes the port for a moment, as the server does. */
export async function checkPort({ host, port }: Config): Promise<Result> {
  if (port === 0) return ok('port', 'PORT is 0: any free port is taken.');
  const where = `${host}:${port}`;
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, exclusive: true }, resolve);
    });
    return ok('port', `${where} is free.`);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE')
      return warn(
        'port',
        `${where} is taken.`,
        'That is right if the server runs; otherwise set another PORT.',
      );
    return fail('port', `${where} cannot be listened on (${code}).`, 'Set another HOST or PORT.');
  } finally {
    server.close();
  }
}
