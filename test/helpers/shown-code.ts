import { execFileSync } from 'node:child_process';

/** A call as some code makes it. */
export interface MadeCall {
  readonly url: string;
  readonly key: string;
  readonly body: unknown;
}

/** What a line for the shell would call, found by running it with another `curl` and the key `k`. */
export function callOfCurl(code: string): MadeCall {
  const shell = `curl() { printf '%s\\0' "$@"; }\n${code}`;
  const env = { PATH: process.env['PATH'], SWITCHYARD_API_KEY: 'k' };
  const words = execFileSync('sh', ['-c', shell], { env, encoding: 'utf8' }).split('\0');
  const authorization = words.find((word) => word.startsWith('Authorization: ')) ?? '';
  return {
    url: words.find((word) => word.startsWith('http')) ?? '',
    key: authorization.slice('Authorization: '.length),
    body: JSON.parse(words[words.indexOf('-d') + 1] ?? ''),
  };
}

type Run = (...given: readonly unknown[]) => Promise<void>;
const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => Run;
const environment = { env: { SWITCHYARD_API_KEY: 'k' }, stdout: { write: () => true } };
const quiet = { log: () => undefined };

/** What a piece of JavaScript calls with `fetch`. */
export async function callOfFetch(code: string): Promise<MadeCall> {
  let made: MadeCall | undefined;
  const fetch = async (url: string, options: { body: string; headers: Record<string, string> }) => {
    made = { url, key: options.headers['Authorization'] ?? '', body: JSON.parse(options.body) };
    return new Response('{}');
  };
  await new AsyncFunction('fetch', 'process', 'console', code)(fetch, environment, quiet);
  if (!made) throw new Error('It calls nothing.');
  return made;
}

export interface LibraryCall {
  readonly options: unknown;
  readonly method: string;
  readonly given: unknown;
}

/** What a piece of JavaScript calls with the client library. */
export async function callOfLibrary(code: string): Promise<LibraryCall> {
  let made: LibraryCall | undefined;
  class Switchyard {
    constructor(options: unknown) {
      const call = (_: object, method: string) => (given: unknown) => {
        made = { options, method, given };
        return [];
      };
      Object.setPrototypeOf(this, new Proxy({}, { get: call }));
    }
  }
  const [first = '', ...rest] = code.split('\n');
  if (first !== "import { Switchyard } from '@switchyard/client';")
    throw new Error(`It begins with ${first}`);
  await new AsyncFunction('Switchyard', 'process', 'console', rest.join('\n'))(
    Switchyard,
    environment,
    quiet,
  );
  if (!made) throw new Error('It calls nothing.');
  return made;
}
