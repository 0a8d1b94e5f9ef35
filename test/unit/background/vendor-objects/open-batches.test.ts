import { expect, it } from 'vitest';
import { OpenBatches } from '../../../../src/background/vendor-objects/open-batches.ts';
import { VendorObjects } from '../../../../src/background/vendor-objects/vendor-objects.ts';
import { onEveryStore } from '../../../helpers/store.ts';

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
