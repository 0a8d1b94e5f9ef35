import { AzureOpenAI } from 'openai';
import { describe, expect, it } from 'vitest';
import { endpointOf } from '../../../../../../src/gateway/upstream/settings.ts';
import { providerOf } from '../../../../../helpers/vendor-gateway.ts';

const azureApiVersion = '2025-04-01-preview';
const provider = providerOf('openai', 'https://example.openai.azure.com', { azureApiVersion });

/** Where the official SDK sends a request. */
async function bySdk(send: (client: AzureOpenAI) => Promise<unknown>): Promise<string> {
  let asked = '';
  const client = new AzureOpenAI({
    endpoint: provider.baseUrl,
    apiKey: 'none',
    apiVersion: azureApiVersion,
    maxRetries: 0,
    fetch: async (url) => {
      const { pathname, search } = new URL(String(url));
      asked = pathname + search;
      return Response.json({ output: [] });
    },
  });
  await send(client);
  return asked;
}

describe('the path at Azure is that of the official SDK', () => {
  it('for responses, whose deployment is their model', async () => {
    const expected = await bySdk((client) => client.responses.create({ model: 'my-gpt', input: 'Hi' }));
    expect(endpointOf(provider, 'openai-responses').path('/responses', 'my-gpt')).toBe(expected);
    expect(expected).toBe(`/openai/responses?api-version=${azureApiVersion}`);
  });

  it('for chat, with the deployment in it', async () => {
    const expected = await bySdk((client) =>
      client.chat.completions.create({ model: 'my-gpt', messages: [] }),
    );
    expect(endpointOf(provider, 'openai-chat').path('/chat/completions', 'my-gpt')).toBe(expected);
  });
});
