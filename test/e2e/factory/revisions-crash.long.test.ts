/** The whole server is killed while it builds a revision: it is taken up again, ends once, and its request is settled once. */
import { expect, it } from 'vitest';
import { askJobs, eventsIn, faultsOf, finalJob } from '../../helpers/factory.ts';
import { ask } from '../../helpers/http.ts';
import { loans } from '../../helpers/revisions.ts';
import { startServer } from '../../helpers/server-process.ts';
import { onEveryStore } from '../../helpers/store.ts';

const key = 'crash-test-key-0123456789';

onEveryStore('a revision over a crash', (on) => {
  it('is resumed and ends once, and the next one is made from it', async () => {
    const { dataDir, databaseUrl } = await on.database();
    const env = {
      DATA_DIR: dataDir,
      ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
      API_KEYS: key,
      LOG_LEVEL: 'error',
    };
    let server = await startServer(env);
    const first = await askJobs(server, '', { body: { spec: loans }, key });
    await askJobs(server, `/${first.json.id}/events`, { key });
    let base: string = first.json.id;
    const attempts: number[] = [];
    for (const name of ['One', 'Two', 'Three']) {
      const asked = await askJobs(server, `/${base}/revisions`, { body: { patch: { name } }, key });
      expect([asked.status, asked.json.revision.base_id]).toEqual([202, base]);
      await server.end('SIGKILL');
      server = await startServer(env);
      const { text } = await askJobs(server, `/${asked.json.id}/events`, { key });
      const events = eventsIn(text, true);
      expect(faultsOf(events)).toEqual([]);
      const job = finalJob(events);
      expect([job.status, job.error, job.plan?.spec?.name]).toEqual(['succeeded', null, name]);
      attempts.push(job.attempt);
      // What was asked for at the same time in another life has not come through beside it.
      const again = await askJobs(server, `/${base}/revisions`, { body: { patch: { name: 'Late' } }, key });
      expect([again.status, again.error.details[0]?.message]).toEqual([409, job.id]);
      base = job.id;
    }
    // A server that ended before the build was begun leaves it at its first attempt.
    expect(attempts.every((attempt) => attempt >= 1)).toBe(true);
    const { data } = (await askJobs(server, `/${base}/revisions`, { key })).json;
    const numbers = data.map(({ revision }: { revision: { number: number } }) => revision.number);
    expect(numbers).toEqual([4, 3, 2, 1]);
    const { json } = await ask(`${server.url}/v1/requests?limit=100`, { key });
    const rows: { operation: string; status: string }[] = json.data;
    const settled = rows.map(({ operation, status }) => `${operation} ${status}`);
    expect(settled).toEqual([
      ...Array.from({ length: 3 }, () => 'createFactoryRevision succeeded'),
      'createFactoryJob succeeded',
    ]);
    await server.end('SIGKILL');
  });
});
