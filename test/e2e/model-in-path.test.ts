/** Clients of Azure and of Google name the model in the path. What a vendor is asked for is what that says. */
import { expect, it } from 'vitest';
import { appForThisTest, testKey } from '../helpers/app.ts';
import { mediaVendorFor, replyJson } from '../helpers/media-vendor.ts';
import { openAiFixture } from '../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

const vectors = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
  model: 'gpt-4o',
  usage: { prompt_tokens: 1, total_tokens: 1 },
};

/** A vendor of both wires, and a way to ask the server in front of it. */
async function world() {
  const vendor = await vendorFor(({ request: { path }, json, reply }) => {
    if (path.endsWith('/embeddings')) json(vectors);
    else if (path.endsWith(':countTokens')) json({ totalTokens: 3 });
    else if (path.endsWith(':embedContent')) json({ embedding: { values: [0.5] } });
    else if (path.endsWith(':batchEmbedContents')) json({ embeddings: [{ values: [0.5] }] });
    else if (path.endsWith('/audio/speech')) reply(200, 'sound', { 'content-type': 'audio/mpeg' });
    else if (path.endsWith('/images/generations')) json({ created: 1, data: [{ b64_json: 'AA==' }] });
    else if (path.endsWith(':generateContent')) json({ candidates: [], usageMetadata: {} });
    else json(openAiFixture.reply);
  });
  const app = await appForThisTest({
    models: {
      providers: [providerOf('openai', vendor.baseUrl), providerOf('gemini', vendor.baseUrl)],
      aliases: { fast: 'openai/gpt-4o', vectors: 'gemini/gemini-embedding-001' },
    },
  });
  return {
    /** What the vendor is asked, at which path and with which body. */
    async asked(path: string, body: string) {
      const reply = await fetch(app.url + path, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      });
      const lane = reply.headers.get('x-switchyard-lane');
      const text = await reply.text();
      if (reply.status !== 200) throw new Error(text);
      const sent = vendor.requests.at(-1);
      return { lane, path: sent?.path, body: sent?.body };
    },
  };
}

const messages = '"messages":[{"role":"user","content":"Hi"}]';

it.each([
  ['the body names none', 'gpt-4o', `{${messages}}`, `{"model":"gpt-4o",${messages}}`],
  ['it is an alias', 'fast', `{${messages}}`, `{"model":"gpt-4o",${messages}}`],
  ['the body names another', 'gpt-4o', `{"model":"o1-pro",${messages}}`, `{"model":"gpt-4o",${messages}}`],
  [
    'the body names the same',
    'gpt-4o',
    `{${messages} ,"model": "gpt-4o"}`,
    `{${messages} ,"model": "gpt-4o"}`,
  ],
])("asks for the model that a path of Azure's names where %s", async (_, model, body, sent) => {
  const { asked } = await world();
  expect(await asked(`/openai/deployments/${model}/chat/completions?api-version=2024-10-21`, body)).toEqual({
    lane: 'native',
    path: '/v1/chat/completions',
    body: sent,
  });
});

it.each([
  ['/embeddings', '"input":"Hi"'],
  ['/images/generations', '"prompt":"A cat"'],
  ['/audio/speech', '"input":"Hi","voice":"alloy"'],
])('asks for it at %s, too', async (suffix, rest) => {
  const { asked } = await world();
  for (const body of [`{${rest}}`, `{"model":"gpt-9",${rest}}`])
    expect(await asked(`/openai/deployments/gpt-4o${suffix}`, body)).toEqual({
      lane: 'native',
      path: `/v1${suffix}`,
      body: `{"model":"gpt-4o",${rest}}`,
    });
});

it.each([undefined, 'gpt-9'])('asks for it with a form, whose own field says %s', async (named) => {
  const vendor = await mediaVendorFor((_request, response) => replyJson(response, { text: 'Hi' }));
  const app = await appForThisTest({ models: { providers: [providerOf('openai', vendor.baseUrl)] } });
  const form = new FormData();
  if (named !== undefined) form.set('model', named);
  form.set('file', new File(['ID3'], 'a.mp3', { type: 'audio/mpeg' }));
  const reply = await fetch(`${app.url}/openai/deployments/gpt-4o/audio/transcriptions`, {
    method: 'POST',
    body: form,
    headers: { 'api-key': testKey },
  });
  expect([reply.status, await reply.json()]).toEqual([200, { text: 'Hi' }]);
  expect((await vendor.requests[0]?.form())?.getAll('model')).toEqual(['gpt-4o']);
});

const content = '"content":{"parts":[{"text":"Hi"}]}';

it.each([
  [
    'embedContent',
    `{"model":"models/vectors",${content}}`,
    `{"model":"models/gemini-embedding-001",${content}}`,
  ],
  ['embedContent', `{ ${content}}`, `{ ${content}}`],
  [
    'batchEmbedContents',
    `{"requests":[{"model":"models/vectors",${content}},{"model":"models/vectors",${content}}]}`,
    `{"requests":[{"model":"models/gemini-embedding-001",${content}},{"model":"models/gemini-embedding-001",${content}}]}`,
  ],
  [
    'countTokens',
    '{"generateContentRequest":{"model":"models/vectors","contents":[{"parts":[{"text":"Hi"}]}]}}',
    '{"generateContentRequest":{"model":"models/gemini-embedding-001","contents":[{"parts":[{"text":"Hi"}]}]}}',
  ],
])("names Google's model in the body of %s wherever its client named ours", async (action, body, sent) => {
  const { asked } = await world();
  expect(await asked(`/v1beta/models/vectors:${action}`, body)).toEqual({
    lane: 'native',
    path: `/v1/models/gemini-embedding-001:${action}`,
    body: sent,
  });
});

it('leaves a body alone that names the model as Google does', async () => {
  const { asked } = await world();
  const body = `{"requests": [{"model": "models/gemini-embedding-001", ${content}}], "unheard_of": 1.0}`;
  expect(await asked('/v1beta/models/gemini-embedding-001:batchEmbedContents', body)).toMatchObject({ body });
});
