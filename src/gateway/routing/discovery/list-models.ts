import type { ProviderSettings } from '../../upstream/settings.ts';
import { anthropicClient, geminiClient, openAiClient } from './sdk-clients.ts';

/** Maximum number of models of one vendor. */
const maxModels = 5000;

/** Asks a vendor for the names of its models. Rejects with the error of the vendor's client, and the reason of the signal. */
export type ListModels = (provider: ProviderSettings, timeoutMs: number) => Promise<readonly string[]>;

/** Asks with the official client of the vendor whose wire it speaks, page by page. */
export const listModels: ListModels = async (provider, timeoutMs) => {
  const signal = AbortSignal.timeout(timeoutMs);
  const names: string[] = [];
  for await (const name of namesOf(provider, timeoutMs, signal)) {
    names.push(name);
    if (names.length >= maxModels) break;
  }
  return names;
};

async function* namesOf(
  provider: ProviderSettings,
  timeoutMs: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (provider.speaks.includes('gemini')) {
    const client = await geminiClient(provider, timeoutMs);
    const models = await client.models.list({ config: { abortSignal: signal, pageSize: 1000 } });
    for await (const { name } of models) if (name) yield name.replace(/^models\//, '');
  } else if (provider.speaks[0] === 'anthropic') {
    const client = await anthropicClient(provider, timeoutMs);
    yield* idsOf(await client.models.list({ limit: 1000 }, { signal }).withResponse());
  } else {
    const client = await openAiClient(provider, timeoutMs);
    yield* idsOf(await client.models.list({ signal }).withResponse());
  }
}

interface Page {
  readonly data: AsyncIterable<{ readonly id: string }>;
  readonly response: Response;
}

/** The clients take any reply for a page, if need be an empty one. */
async function* idsOf({ data, response }: Page): AsyncGenerator<string> {
  if (!/\bjson\b/.test(response.headers.get('content-type') ?? ''))
    throw new TypeError('The reply is no list of models.');
  for await (const { id } of data) yield id;
}
