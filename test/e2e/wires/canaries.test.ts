/** Keys of clients and of vendors show nowhere: not in logs, errors, metrics, replies, the database, or on the other side. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestApp, testKey } from '../../helpers/app.ts';
import { textUntilItEnds } from '../../helpers/http.ts';
import { canaryKey } from '../../helpers/vendor-gateway.ts';
import {
  beforeFourVendors,
  modelOn,
  textAnswers,
  wireClients,
  wireNames,
  wireOf,
} from '../../helpers/wire-clients.ts';
import type { VendorScript } from '../../lib/vendor.ts';

const wrongKey = 'sy-canary-of-nobody-0123456789abcdef';
const vendorKeyOfClient = 'sk-canary-that-a-client-brought-along';

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
}

const ways: Readonly<Record<string, (key: string) => Sent>> = {
  Authorization: (key) => ({ headers: { authorization: `Bearer ${key}` }, query: '' }),
  'x-api-key': (key) => ({ headers: { 'x-api-key': key }, query: '' }),
  'api-key': (key) => ({ headers: { 'api-key': key }, query: '' }),
  'x-goog-api-key': (key) => ({ headers: { 'x-goog-api-key': key }, query: '' }),
  'the query': (key) => ({ headers: {}, query: `key=${key}` }),
};

/** A vendor that answers, and quotes its key wherever something goes wrong. */
const quoting: VendorScript = ({ request, json, events, eventStream, chunk, lastChunk, reply }) => {
  const quoted = `Incorrect API key provided: ${canaryKey}.`;
  const error = {
    type: 'error',
    error: { type: 'x', message: quoted, code: 400, status: 'INVALID_ARGUMENT' },
  };
  const { stream, reply: whole } = textAnswers[wireOf(request)];
  if (request.body.includes('refuse')) json(error, 400);
  else if (request.body.includes('unauthorized')) json(error, 401);
  else if (request.body.includes('fail')) reply(500, quoted, { 'content-type': 'text/plain' });
  else if (request.body.includes('break')) {
    eventStream();
    chunk(stream.slice(0, stream.indexOf('Gr') + 2));
    lastChunk();
  } else if (request.path.includes(':stream') || request.json['stream']) events(stream);
  else json(whole);
};

/** Everything that the server has written down. */
async function writtenDown(app: TestApp): Promise<string> {
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  const files = readdirSync(app.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'));
  return [JSON.stringify(app.log), metrics, ...files].join('\n');
}

describe.each(wireNames)('a client on %s', (client) => {
  it.each(Object.entries(ways))('whose key comes in %s', async (_, way) => {
    const { app, vendor } = await beforeFourVendors(quoting, { errorsExpected: true });
    const told: string[] = [];
    const statuses = new Set<number>();
    const { body, path: pathOf } = wireClients[client];
    const ask = async (target: (typeof wireNames)[number], text: string, key: string, streaming: boolean) => {
      const model = modelOn[target];
      const { headers, query } = way(key);
      const at = pathOf(model, streaming);
      const url = app.url + at + (query && (at.includes('?') ? '&' : '?') + query);
      const more = streaming && client !== 'gemini' ? { stream: true } : {};
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'openai-organization': vendorKeyOfClient, ...headers },
        body: JSON.stringify(body(model, { text }, more)),
      });
      statuses.add(reply.status);
      const { text: read } = await textUntilItEnds(reply.body as AsyncIterable<unknown>);
      told.push(JSON.stringify([...reply.headers]), read);
    };
    for (const target of wireNames) {
      for (const text of ['Hi', 'refuse', 'unauthorized', 'fail']) await ask(target, text, testKey, false);
      await ask(target, 'Hi', testKey, true);
      await ask(target, 'break', testKey, true);
    }
    await ask('anthropic', 'Hi', wrongKey, false);
    expect([...statuses].sort()).toEqual([200, 400, 401, 502]);
    const shown = told.join('\n');
    const kept = await writtenDown(app);
    for (const key of [testKey, wrongKey, canaryKey]) {
      expect(shown).not.toContain(key);
      expect(kept).not.toContain(key);
    }
    expect(vendor.requests.length).toBeGreaterThan(20);
    for (const request of vendor.requests) {
      const sent = JSON.stringify(request);
      expect(sent).toContain(canaryKey);
      for (const key of [testKey, vendorKeyOfClient]) expect(sent).not.toContain(key);
    }
  });
});
