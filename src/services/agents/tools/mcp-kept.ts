import type { KeyObject } from 'node:crypto';
import { Sealer } from '../../../lib/sealer.ts';
import type { Store } from '../../../store/store.ts';
import type { KeptAuthorization, KeptAuthorizations } from './mcp-oauth.ts';

/** Of a process that ended while it renewed tokens nobody has to wait longer, in milliseconds. */
const claimMs = 30_000;

/** Keeps authorizations in the database, encrypted for the address of their server: those of another address are not found. */
export function keptInStore({ db }: Pick<Store, 'db'>, key: KeyObject): KeptAuthorizations {
  const sealer = new Sealer(key);
  const rowOf = (id: string) => `mcp_authorization:${id}`;
  const claimOf = (id: string) => `mcp_renewal:${id}`;
  const ownerOf = (server: { readonly id: string; readonly url: string }) => `${server.id}\0${server.url}`;
  return {
    async read(server) {
      const row = await db
        .selectFrom('settings')
        .select('value')
        .where('name', '=', rowOf(server.id))
        .executeTakeFirst();
      if (!row) return {};
      try {
        return JSON.parse(
          sealer.open(Buffer.from(row.value, 'base64'), ownerOf(server)),
        ) as KeptAuthorization;
      } catch {
        return {};
      }
    },
    async write(server, kept) {
      const value = sealer.seal(JSON.stringify(kept), ownerOf(server)).toString('base64');
      await db
        .insertInto('settings')
        .values({ name: rowOf(server.id), value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    },
    async claim(server) {
      const now = Date.now();
      const value = String(now + claimMs);
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('settings')
        .values({ name: claimOf(server.id), value })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ value }).where('settings.value', '<', String(now)),
        )
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
    async release(server) {
      await db.deleteFrom('settings').where('name', '=', claimOf(server.id)).execute();
    },
  };
}
