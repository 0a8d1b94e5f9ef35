/** What a stream of Responses says while its vendor is silent: Codex counts events and no comments (https://github.com/Menci/Floway/issues/498). */
import { expect, it } from 'vitest';
import { appForThisTest, testKey } from '../../helpers/app.ts';
import { openAiFixture } from '../../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../../helpers/vendor-gateway.ts';

it('a translated stream of Responses has events in silence, numbered like all others', async () => {
  const heard = Promise.withResolvers<void>();
  const vendor = await vendorFor(async (reply) => {
    reply.eventStream();
    reply.chunk(openAiFixture.firstHalf);
    await heard.promise;
    reply.chunk(openAiFixture.stream.slice(openAiFixture.firstHalf.length));
    reply.lastChunk();
  });
  const app = await appForThisTest({
    models: { providers: [providerOf('openai', vendor.baseUrl)] },
    pingMs: 20,
  });
  const reply = await fetch(`${app.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', input: 'Hi', stream: true }),
  });
  let text = '';
  for await (const piece of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    // The first belongs to every stream.
    if (text.split('event: response.in_progress').length > 3) heard.resolve();
  }
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_event, index) => index));
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
});
