import { createClient, createConfig } from './client/index.js';
import { ConnectionError, errorOf } from './errors.js';
import { withRetries } from './retries.js';
import { StreamingOperations } from './streams.gen.js';

export interface SwitchyardOptions {
  /** API key; `process.env.SWITCHYARD_API_KEY` if left out. Not needed for the public operations. */
  apiKey?: string;
  /** Where the server is reached; `http://127.0.0.1:8080` if left out. */
  baseUrl?: string;
  /** How often a request is repeated after an error that is worth it; 2 if left out, 0 for never. */
  maxRetries?: number;
  /** Used in place of the global `fetch`. */
  fetch?: typeof fetch;
}

/** The client: one method for each operation. Each resolves with the reply's body or throws a `SwitchyardError`. */
export class Switchyard extends StreamingOperations {
  constructor({ apiKey = fromEnvironment(), baseUrl, maxRetries = 2, ...options }: SwitchyardOptions = {}) {
    const client = createClient(
      createConfig({
        baseUrl: baseUrl ?? 'http://127.0.0.1:8080',
        ...(apiKey === undefined ? {} : { auth: apiKey }),
        fetch: withRetries(options.fetch ?? globalThis.fetch, maxRetries),
        responseStyle: 'data',
        throwOnError: true,
      }),
    );
    client.interceptors.error.use((error, response) => {
      if (response) return errorOf(response.status, error, response.headers);
      if (error instanceof Error && error.name === 'AbortError') return error;
      return new ConnectionError('The server could not be reached.', { cause: error });
    });
    super({ client });
  }
}

function fromEnvironment(): string | undefined {
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } };
  return process?.env['SWITCHYARD_API_KEY'];
}
