import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { KeyStore } from '../../../../src/tenants/idempotency/key-store.ts';
import { answerOf, bury, idempotencyOf, tryClaim, won } from '../../../helpers/idempotency.ts';
import { onEveryStore, onSqlite } from '../../../helpers/store.ts';
import { TestClock } from '../../../helpers/test-database.ts';

const hour = 3_600_000;

onEveryStore('keys of idempotency', (on) => {
  it('are remembered until their time is over, and then new', async () => {
    const clock = new TestClock();
    const store = await on.open(await on.database(), clock);
    const { keys } = await idempotencyOf(store, 'one', { idempotencyHours: 2 });
    const first = await won(tryClaim(keys));
    await first.keep(answerOf('first'));
    clock.time += 2 * hour - 1;
    expect(await tryClaim(keys)).toEqual({ kept: 'first' });
    clock.time += 1;
    const second = await won(tryClaim(keys, 'key', 'another request'));
    expect(second.work).toMatchObject({ resumed: false });
    expect(second.work.id).not.toBe(first.work.id);
    await second.keep(answerOf('second'));
    expect(await tryClaim(keys, 'key', 'another request')).toEqual({ kept: 'second' });
  });

  it('are deleted when their time is over, however many there are', async () => {
    const clock = new TestClock();
    const store = await on.open(await on.database(), clock);
    const { keys } = await idempotencyOf(store, 'one');
    for (let n = 0; n < 410; n += 1) await won(tryClaim(keys, `old ${n}`));
    clock.time += 24 * hour;
    await won(tryClaim(keys, 'new'));
    expect(await new KeyStore(store, 'one', hour).forgetOld()).toBe(410);
    expect(await store.db.selectFrom('idempotency_keys').select('owner').execute()).toHaveLength(1);
  });

  it('are won by one of many who come at once, in any process', async () => {
    const database = await on.database();
    const stores = [await on.open(database), await on.open(database)];
    const processes = await Promise.all(stores.map((store, n) => idempotencyOf(store, `process ${n}`)));
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, n) => tryClaim((processes[n % 2] ?? processes[0])?.keys as never)),
    );
    expect(outcomes.filter((outcome) => 'claimed' in outcome)).toHaveLength(1);
    expect(
      outcomes.filter((outcome) => 'code' in outcome && outcome.code === 'idempotency_key_in_use'),
    ).toHaveLength(39);
  });

  it('are taken over by one of many from a process that is gone, under the same name, and not by another request', async () => {
    const database = await on.database();
    const stores = [await on.open(database), await on.open(database)];
    const [gone, ...others] = [
      await idempotencyOf(stores[0] as never, 'gone'),
      await idempotencyOf(stores[0] as never, 'process 1'),
      await idempotencyOf(stores[1] as never, 'process 2'),
    ];
    const lost = await won(tryClaim(gone.keys));
    expect(await tryClaim(others[0]?.keys as never)).toEqual({ code: 'idempotency_key_in_use' });
    await bury(stores[0] as never, 'gone');
    expect(await tryClaim(others[0]?.keys as never, 'key', 'another request')).toEqual({
      code: 'idempotency_key_reused',
    });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => tryClaim((others[n % 2] ?? others[0])?.keys as never)),
    );
    const claims = outcomes.flatMap((outcome) => ('claimed' in outcome ? [outcome.claimed] : []));
    expect(claims).toHaveLength(1);
    expect(claims[0]?.work).toEqual({ id: lost.work.id, resumed: true });
    // It was only slow: what it ends or frees is no longer its own.
    await lost.keep(answerOf('of the slow one'));
    await lost.free();
    expect(await tryClaim(gone.keys)).toEqual({ code: 'idempotency_key_in_use' });
    await claims[0]?.keep(answerOf('of who took over'));
    expect(await tryClaim(gone.keys)).toEqual({ kept: 'of who took over' });
  });

  it('are free again when nothing was done', async () => {
    const store = await on.open(await on.database());
    const { keys } = await idempotencyOf(store, 'one');
    await (await won(tryClaim(keys))).free();
    const again = await won(tryClaim(keys, 'key', 'another request'));
    await again.keep(null);
    expect(await tryClaim(keys, 'key', 'another request')).toEqual({ code: 'idempotency_answer_not_kept' });
  });

  it('keep nothing that can be read, and give back what was kept whatever it is', async () => {
    const store = await on.open(await on.database());
    const { keys } = await idempotencyOf(store, 'one');
    const body = Buffer.from(Array.from({ length: 70_000 }, (_, n) => n % 251));
    const claim = await won(tryClaim(keys));
    await claim.keep({ status: 418, headers: { location: 'https://a.test/ü' }, body });
    const { fingerprint } = { fingerprint: keys.fingerprint().update('request').digest('base64url') };
    expect(await keys.claim({ owner: 'acme', key: 'key', fingerprint })).toEqual({
      kept: { status: 418, headers: { location: 'https://a.test/ü' }, body },
    });
    const row = await store.db.selectFrom('idempotency_keys').selectAll().executeTakeFirstOrThrow();
    expect(Buffer.from(row.answer as Uint8Array).includes(body.subarray(0, 16))).toBe(false);
    expect(Buffer.from(row.answer as Uint8Array).includes('a.test')).toBe(false);
  });

  it('get the end that the database did not take as soon as it does', async () => {
    const store = await on.open(await on.database());
    const opened = await idempotencyOf(store, 'one');
    const claim = await won(tryClaim(opened.keys));
    // The database is away for one statement.
    vi.spyOn(store.db, 'updateTable').mockImplementationOnce(() => {
      throw new Error('away');
    });
    await claim.keep(answerOf('late'));
    await opened.close();
    expect(await tryClaim(opened.keys)).toEqual({ kept: 'late' });
  });
});

onSqlite('a backup', (on) => {
  it('holds the answers that are kept, and the keys whose work a lost process did', async () => {
    const store = await on.open(await on.database());
    const { keys } = await idempotencyOf(store, 'one');
    await (await won(tryClaim(keys, 'answered'))).keep(answerOf('kept'));
    const lost = await won(tryClaim(keys, 'running'));
    const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-backup-'));
    on.cleanUp(() => rm(dataDir, { recursive: true }));
    await store.backup(path.join(dataDir, 'switchyard.db'));
    const restored = await on.open({ dataDir, databaseUrl: null });
    await bury(restored, 'one');
    const next = await idempotencyOf(restored, 'two');
    expect(await tryClaim(next.keys, 'answered')).toEqual({ kept: 'kept' });
    expect((await won(tryClaim(next.keys, 'running'))).work).toEqual({ id: lost.work.id, resumed: true });
  });
});
