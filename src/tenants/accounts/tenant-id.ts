import type { Transaction } from 'kysely';
import type { Tables } from '../../store/schema.ts';

const maxLength = 63;

/** What the id of a tenant looks like. */
export function isTenantId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(text);
}

/** An id that reads like the name and is free, with a number at its end if need be. */
export async function freeTenantId(db: Transaction<Tables>, name: string): Promise<string> {
  const plain = tenantIdFrom(name);
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `-${number}`;
    const id = `${plain.slice(0, maxLength - end.length)}${end}`;
    if (!(await db.selectFrom('tenants').select('id').where('id', '=', id).executeTakeFirst())) return id;
  }
}

function tenantIdFrom(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replaceAll(/^-|-$/g, '');
  return plain === '' ? 'tenant' : plain;
}
