import { describe, expect, it } from 'vitest';
import { OpenBatches } from '../../../../src/background/vendor-objects/open-batches.ts';
import {
  type NewKeptObject,
  VendorObjects,
} from '../../../../src/background/vendor-objects/vendor-objects.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { TestClock } from '../../../helpers/test-database.ts';

const day = 86_400_000;

function response(id: string, more: Partial<NewKeptObject> = {}): NewKeptObject {
  return {
    tenantId: 'acme',
    kind: 'response',
    id,
    provider: 'openai',
    model: 'gpt-4o',
    vendorId: id,
    data: null,
    counted: false,
    keepMs: 30 * day,
    ...more,
  };
}

onEveryStore('what vendors keep', (on) => {
  it('is found by the tenant that owns it and by no other', async () => {
    const objects = new VendorObjects(await on.open(await on.database()));
    await objects.record(response('resp_1', { data: { a: [1] } }));
    const key = { tenantId: 'acme', kind: 'response', id: 'resp_1' } as const;
    expect(await objects.find(key)).toMatchObject({
      ...key,
      provider: 'openai',
      model: 'gpt-4o',
      vendorId: 'resp_1',
      data: { a: [1] },
      counted: false,
    });
    expect(await objects.find({ ...key, tenantId: 'other' })).toBeNull();
    expect(await objects.find({ ...key, kind: 'file' })).toBeNull();
    await objects.remove({ ...key, tenantId: 'other' });
    expect(await objects.find(key)).not.toBeNull();
    await objects.remove(key);
    expect(await objects.find(key)).toBeNull();
  });

  it('can have the same name with two tenants, and a later one takes the place of an earlier one', async () => {
    const objects = new VendorObjects(await on.open(await on.database()));
    await objects.record(response('resp_1'));
    await objects.record(response('resp_1', { tenantId: 'other', provider: 'second' }));
    await objects.record(response('resp_1', { provider: 'third' }));
    const found = await Promise.all(
      ['acme', 'other'].map((tenantId) => objects.find({ tenantId, kind: 'response', id: 'resp_1' })),
    );
    expect(found.map((object) => object?.provider)).toEqual(['third', 'second']);
  });

  it('is counted once, however many ask at the same time', async () => {
    const objects = new VendorObjects(await on.open(await on.database()));
    await objects.record(response('resp_1'));
    const key = { tenantId: 'acme', kind: 'response', id: 'resp_1' } as const;
    const counted = await Promise.all(Array.from({ length: 8 }, () => objects.count(key)));
    expect(counted.filter(Boolean)).toHaveLength(1);
    expect((await objects.find(key))?.counted).toBe(true);
  });

  it('is forgotten when its time is over, and listed until then', async () => {
    const clock = new TestClock();
    const store = await on.open(await on.database(), clock);
    const objects = new VendorObjects(store);
    for (let n = 0; n < 205; n += 1) await objects.record(response(`resp_${n}`));
    await objects.record(response('file-1', { kind: 'file', keepMs: null }));
    clock.time += 30 * day;
    await store.synchroniseClock();
    await objects.record(response('resp_new'));
    const page = { after: null, limit: 100, order: 'desc' } as const;
    expect((await objects.list('acme', 'response', page)).map(({ id }) => id)).toEqual(['resp_new']);
    expect(await objects.find({ tenantId: 'acme', kind: 'response', id: 'resp_7' })).toBeNull();
    await objects.forgetOld();
    const left = await store.db.selectFrom('kept_objects').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual(['file-1', 'resp_new']);
  });

  it('is listed page by page in either order', async () => {
    const objects = new VendorObjects(await on.open(await on.database()));
    for (const id of ['file-1', 'file-2', 'file-3']) await objects.record(response(id, { kind: 'file' }));
    const ids = async (after: string | null, order: 'asc' | 'desc') =>
      (await objects.list('acme', 'file', { after, limit: 2, order })).map(({ id }) => id);
    expect(await ids(null, 'desc')).toEqual(['file-3', 'file-2']);
    expect(await ids('file-2', 'desc')).toEqual(['file-1']);
    expect(await ids('file-1', 'asc')).toEqual(['file-2', 'file-3']);
    expect(await objects.list('other', 'file', { after: null, limit: 2, order: 'asc' })).toEqual([]);
  });
});

describe('open batches', () => {
  const key = { tenantId: 'acme', id: 'batch_1' };
  const owner = { keyId: 'key000000001', scopes: new Set(['chat', 'files']), tagsHeader: 'team=a' };

  onEveryStore('batches that are carried out', (on) => {
    async function world() {
      const store = await on.open(await on.database());
      const objects = new VendorObjects(store);
      const open = new OpenBatches(store, objects);
      const begin = (id = key.id, also: () => Promise<void> = () => Promise.resolve()) => {
        const data = { id, status: 'validating', metadata: { 2: 'b', 1: 'a' } };
        const object = { provider: 'sandbox', model: null, vendorId: id, data, counted: true, keepMs: 1000 };
        return open.begin({ tenantId: key.tenantId, kind: 'batch', id, ...object }, owner, also);
      };
      const found = () => objects.find({ ...key, kind: 'batch' });
      return { store, objects, open, begin, found };
    }

    it('are written down together with what belongs to them, or not at all', async () => {
      const { open, begin, found } = await world();
      const refused = begin(key.id, () => Promise.reject(new Error('no task')));
      await expect(refused).rejects.toThrow('no task');
      expect([await open.owner(key), await found()]).toEqual([null, null]);
      await begin();
      expect(await open.owner(key)).toEqual(owner);
      expect(await open.owner({ ...key, tenantId: 'other' })).toBeNull();
    });

    it('have one answer to each line, the first that came', async () => {
      const { store, open, begin } = await world();
      await begin();
      await begin('batch_2');
      await open.answer(key, { line: 1, ok: false, text: 'ä' });
      await open.answer(key, { line: 0, ok: true, text: 'first' });
      await open.answer(key, { line: 0, ok: false, text: 'second' });
      await open.answer({ ...key, id: 'batch_2' }, { line: 7, ok: true, text: 'another' });
      expect(await open.answered(key)).toEqual(new Set([0, 1]));
      expect(await open.answers(key, store.db)).toEqual([
        { line: 0, ok: true, text: 'first' },
        { line: 1, ok: false, text: 'ä' },
      ]);
      expect(await open.counts('acme', ['batch_1', 'batch_2', 'batch_3'])).toEqual(
        new Map([
          ['batch_1', { completed: 1, failed: 1 }],
          ['batch_2', { completed: 1, failed: 0 }],
        ]),
      );
      expect(await open.counts('other', ['batch_1'])).toEqual(new Map());
      await open.end(key, store.db);
      expect([await open.owner(key), await open.answered(key)]).toEqual([null, new Set()]);
      expect(await open.answered({ ...key, id: 'batch_2' })).toEqual(new Set([7]));
    });

    it('are changed by one of those who have read the same', async () => {
      const { objects, begin, found } = await world();
      await begin();
      const read = await found();
      if (!read) throw new Error('There is no batch.');
      const changes = ['cancelled', 'in_progress'].map((status) =>
        objects.replace(read, { ...(read.data as object), status }),
      );
      expect((await Promise.all(changes)).toSorted()).toEqual([false, true]);
      expect(await objects.replace(read, {})).toBe(false);
      const now = await found();
      expect(now && (await objects.replace(now, { id: key.id }))).toBe(true);
      expect((await found())?.data).toEqual({ id: key.id });
    });
  });
});
