import { type Client, createClient, createConfig } from './client/index.js';
import { Deadline } from './deadline.js';
import { ConnectionError, errorOf } from './errors.js';
import { withRetries } from './retries.js';
import { StreamingOperations } from './streams.gen.js';

declare module './client/types.gen.js' {
  interface Config {
    /**
     * Milliseconds that a call may take, from its beginning to the end of its answer, with all its retries, and that a stream
     * may be silent. Over it the call ends with a `TimeoutError`. 0 for no end.
     */
    timeout?: number;
  }
}

export interface SwitchyardOptions {
  /** API key; the environment variable `SWITCHYARD_API_KEY` if left out. Not needed for the public operations. */
  apiKey?: string;
  /** Where the server is reached; `SWITCHYARD_BASE_URL` or else `http://127.0.0.1:8080` if left out. */
  baseUrl?: string;
  /** How often a request is repeated after an error that is worth it; 2 if left out, 0 for never. */
  maxRetries?: number;
  /**
   * Milliseconds that a call may take, with all its retries, and that a stream may be silent; 300,000 if left out, 0 for no
   * end. Over it the call ends with a `TimeoutError`. Every call takes a `timeout` of its own too.
   */
  timeout?: number;
  /** Used in place of the global `fetch`, for example one that goes through a proxy. */
  fetch?: typeof fetch;
}

/** The client: one method for each operation. Each resolves with the reply's body or throws a `SwitchyardError`. */
export class Switchyard extends StreamingOperations {
  constructor(options: SwitchyardOptions = {}) {
    const apiKey = options.apiKey ?? fromEnvironment('SWITCHYARD_API_KEY');
    const baseUrl = options.baseUrl ?? fromEnvironment('SWITCHYARD_BASE_URL') ?? 'http://127.0.0.1:8080';
    const client = createClient(
      createConfig({
        baseUrl,
        ...(apiKey === undefined ? {} : { auth: apiKey }),
        fetch: withRetries(options.fetch ?? globalThis.fetch, options.maxRetries ?? 2),
        timeout: options.timeout ?? 300_000,
        responseStyle: 'data',
        throwOnError: true,
      }),
    );
    client.interceptors.error.use((error, response, _request, { signal }) => {
      if (signal?.aborted) return signal.reason;
      if (response && !response.ok) return errorOf(response.status, error, response.headers);
      return new ConnectionError('The server could not be reached, or the connection broke.', {
        cause: error,
      });
    });
    limitTime(client);
    super({ client });
  }
}

type CallOptions = { signal?: AbortSignal | null; timeout?: number; parseAs?: string };
type Call = (options: CallOptions) => Promise<unknown>;

/** Has every call end when its time is over. */
function limitTime(client: Client): void {
  const calls = client as unknown as Record<string, Call>;
  for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
    const call = calls[method] as Call;
    calls[method] = async (options) => {
      const ms = options.timeout ?? client.getConfig().timeout ?? 0;
      if (ms === 0) return call(options);
      const deadline = new Deadline(ms, options.signal);
      try {
        return await call({ ...options, signal: deadline.signal });
      } finally {
        // What is read as a stream goes on, and can still be aborted.
        if (options.parseAs === 'stream') deadline.pause();
        else deadline.end();
      }
    };
  }
}

function fromEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } };
  return process?.env[name];
}
