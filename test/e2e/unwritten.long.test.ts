/** While the ledger cannot be written no success is sent: an answer waits for its row, and becomes an error when it waits too long. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { request } from 'undici';
import { expect, it } from 'vitest';
import { appForThisTest, testKey } from '../helpers/app.ts';
import { eventually, gate } from '../helpers/factory.ts';
import { ask, eventsOf } from '../helpers/http.ts';
import { openAiFixture } from '../helpers/vendor-fixtures.ts';
import { longLimits, providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

/** A whole answer and a stream, both on their way from the vendor while another process holds the database. */
async function answersOnTheirWay() {
  const locked = gate();
  const vendor = await vendorFor(async (reply) => {
    await locked.opened;
    if (reply.request.json['stream']) reply.events(openAiFixture.stream);
    else reply.json(openAiFixture.reply);
  });
  const app = await appForThisTest({
    models: { providers: [providerOf('openai', vendor.baseUrl)], maxAttempts: 1, timeLimits: longLimits },
    limits: { requestsPerMinute: 5 },
    prices: { 'openai/gpt-4o': { prompt: 1, completion: 1, cachedPrompt: 1 } },
    errorsExpected: true,
  });
  const body = { model: 'gpt-4o', message: 'Hello' };
  const told = { status: 0, stream: '' };
  const json = ask(`${app.url}/v1/chat`, { body, direct: true }).then((answer) => {
    told.status = answer.status;
    return answer;
  });
  const stream = request(`${app.url}/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true }),
  }).then(async (response) => {
    for await (const chunk of response.body.setEncoding('utf8')) told.stream += chunk;
  });
  await eventually(() => vendor.requests.length === 2);
  const other = new DatabaseSync(path.join(app.dataDir, 'switchyard.db'));
  other.exec('begin immediate');
  locked.open();
  // Both are at their end, and neither can be written.
  await eventually(() => app.accounts.admissions.waitingSettlements === 2);
  const { text } = openAiFixture;
  const deltas = () => eventsOf(told.stream.slice(0, told.stream.lastIndexOf('\n\n') + 2));
  const heard = () =>
    deltas()
      .map(({ data }) => data['content'] ?? '')
      .join('');
  await eventually(() => heard() === text);
  const release = () => {
    other.exec('rollback');
    other.close();
  };
  const rows = async () => {
    await app.accounts.admissions.flush();
    const { db } = app.accounts.store;
    return db.selectFrom('ledger_rows').selectAll().orderBy('http_status', 'desc').execute();
  };
  return { told, json, stream, release, rows, types: () => deltas().map(({ data }) => data.type) };
}

const counted = { prompt_tokens: 24, completion_tokens: 11, usage_source: 'provider', cost_micro_usd: 35 };

it('an answer and the end of a stream come when they are in the ledger, the pieces before it at once', async () => {
  const { told, json, stream, release, rows, types } = await answersOnTheirWay();
  expect(told.status).toBe(0);
  expect(types()).not.toContain('end');
  release();
  expect((await json).status).toBe(200);
  await stream;
  expect(types().at(-1)).toBe('end');
  expect(await rows()).toMatchObject([
    { status: 'succeeded', http_status: 200, ...counted },
    { status: 'succeeded', http_status: 200, ...counted },
  ]);
});

it('what cannot be written within ten seconds is an error, in the ledger too, with what it has used', async () => {
  const { json, stream, release, rows, types } = await answersOnTheirWay();
  const answer = await json;
  expect([answer.status, answer.error.code]).toEqual([503, 'storage_unavailable']);
  // It was admitted, and its headers say so although the database is away.
  expect(answer.headers).toMatchObject({ 'x-ratelimit-limit-requests': '5', ratelimit: expect.any(String) });
  await stream;
  expect(types().filter((type) => type === 'end')).toEqual([]);
  expect(types().at(-1)).toBe('error');
  release();
  const failed = { status: 'failed', error_code: 'storage_unavailable', ...counted };
  expect(await rows()).toMatchObject([
    { ...failed, http_status: 503 },
    { ...failed, http_status: 200 },
  ]);
});
