import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../helpers/free-port.ts';
import { atTheEnd } from './cleanup.ts';

/** A Redis server that the suite may break. It keeps nothing on disk, so that whenever it ends it forgets everything. */
export interface Redis {
  readonly port: number;
  /** Kills it with SIGKILL, waits for so many milliseconds, and starts it again, empty. */
  kill(downMs: number): Promise<void>;
  /** Empties it while it runs. */
  forget(): Promise<void>;
  /** Stops it from doing anything for so many milliseconds; then it does at once what it was asked meanwhile. */
  freeze(forMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one from the machine's packages. Throws where there is none. */
export async function startRedis(folder: string): Promise<Redis> {
  const port = await freePort();
  const fixed = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder];
  const args = [...fixed, '--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'];
  let child: ChildProcess;
  atTheEnd(() => child?.kill('SIGKILL'));

  async function start(): Promise<void> {
    child = spawn('redis-server', args, { stdio: 'ignore' });
    child.on('error', () => undefined);
    const deadline = performance.now() + 20_000;
    while (!(await answers(port))) {
      if (child.pid === undefined || child.exitCode !== null || performance.now() > deadline)
        throw new Error('Redis does not start (`apt-get install redis-server`).');
      await sleep(20);
    }
  }

  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  await start();
  return {
    port,
    async kill(downMs) {
      await end();
      await sleep(downMs);
      await start();
    },
    async forget() {
      // Where it is down at the moment it has nothing to forget.
      const answer = await command(port, 'FLUSHALL').catch(() => '');
      if (!/^(\+OK|$)/.test(answer)) throw new Error(`Redis answers FLUSHALL with ${answer}`);
    },
    async freeze(forMs) {
      child.kill('SIGSTOP');
      await sleep(forMs);
      child.kill('SIGCONT');
    },
    stop: end,
  };
}

const answers = async (port: number) => (await command(port, 'PING').catch(() => '')).startsWith('+PONG');

/** Sends a command whose answer is one line, on a connection of its own. */
async function command(port: number, line: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write(`${line}\r\n`);
    let answer = '';
    for await (const chunk of socket) {
      answer += chunk;
      if (answer.includes('\n')) break;
    }
    return answer;
  } finally {
    socket.destroy();
  }
}
