import { expect, it } from 'vitest';
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
