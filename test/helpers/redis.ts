import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, onTestFinished } from 'vitest';
import { RedisLink } from '../../src/store/redis/link.ts';

/** A Redis server of its own, which the test may break. */
export interface TestRedis {
  readonly port: number;
  readonly url: string;
  /** Sends a command as one line and gives what it answers, without its end. */
  command(line: string): Promise<string>;
  /** Kills it at once; it has nothing on the disk. */
  crash(): Promise<void>;
  /** Stops it without closing its connections, and lets it continue. */
  freeze(): void;
  thaw(): void;
  /** Starts it again, empty. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs tests with a Redis server from the machine's packages. Where there is none, they are skipped; under `CI` that is a
 * failure.
 */
export function onRedis(name: string, tests: (server: () => TestRedis) => void): void {
  describe(`${name} on Redis`, () => {
    let server: TestRedis | null = null;
    beforeAll(async () => {
      try {
        server = await startRedis();
      } catch (error) {
        if (process.env['CI']) throw error;
        console.warn(`No Redis server can be started here, so its tests are skipped: ${error}`);
      }
    });
    afterAll(() => server?.stop());
    beforeEach(({ skip }) => skip(server === null, 'no Redis server can be started here'));
    tests(() => server as TestRedis);
  });
}

/** One for this test, which is skipped where there is none; under `CI` that is a failure. */
export async function redisForThisTest(skip: (note: string) => unknown): Promise<TestRedis> {
  try {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    return redis;
  } catch (error) {
    if (process.env['CI']) throw error;
    skip(`no Redis server can be started here: ${error}`);
    throw error;
  }
}

/** @param options for its command line, such as `--requirepass`, `secret` */
export async function startRedis(options: readonly string[] = []): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'switchyard-redis-'));
  const port = await freePort();
  let child: ChildProcess | null = null;
  const start = async () => {
    const fixed = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', directory];
    const started = spawn('redis-server', [...fixed, ...options], { stdio: 'ignore' });
    child = started;
    const failed = once(started, 'error').then(([error]) => Promise.reject(error));
    failed.catch(() => undefined);
    while (!(await Promise.race([accepts(port), failed]))) {
      if (started.exitCode !== null) throw new Error('redis-server has ended');
      await sleep(10);
    }
  };
  const crash = async () => {
    const dying = child;
    child = null;
    if (!dying || dying.exitCode !== null || dying.signalCode !== null) return;
    const ended = once(dying, 'exit');
    dying.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    command: (line) => ask(port, line),
    crash,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    start,
    async stop() {
      await crash();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A link that is closed after the test, and what it has reported. */
export function linkTo(url: string) {
  const told: string[] = [];
  const link = new RedisLink({
    url,
    onProblem: (message) => told.push(message),
    onBack: () => told.push('back'),
  });
  onTestFinished(() => link.close());
  return { link, told };
}

/** Whether it is there and answers, if only that it wants a password. */
async function accepts(port: number): Promise<boolean> {
  const answer = await ask(port, 'PING').catch(() => '');
  return answer.startsWith('+PONG') || answer.startsWith('-NOAUTH');
}

async function ask(port: number, line: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write(`${line}\r\n`);
    let answer = '';
    for await (const chunk of socket) {
      answer += chunk;
      const size = /^\$(\d+)\r\n/.exec(answer);
      const whole = size ? answer.length >= size[0].length + Number(size[1]) + 2 : answer.endsWith('\r\n');
      if (whole) break;
    }
    return answer.trimEnd();
  } finally {
    socket.destroy();
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
