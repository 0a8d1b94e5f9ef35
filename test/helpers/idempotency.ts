import { createHmac, createSecretKey } from 'node:crypto';
import type { Claimed, Idempotency, KeptAnswer } from '../../src/contract/idempotency.ts';
import type { FieldRow } from '../../src/gateway/wires/fields/field-rows.ts';
import { type FieldNode, parseFieldPath, type Step } from '../../src/gateway/wires/fields/field-tree.ts';
import type { Store } from '../../src/store/store.ts';
import {
  type IdempotencySettings,
  type OpenIdempotency,
  openIdempotency,
} from '../../src/tenants/idempotency/open-idempotency.ts';
import type { Sealing } from '../../src/tenants/idempotency/sealing.ts';
import type { ScriptedVendor, VendorReply, VendorScript } from '../lib/vendor.ts';
import { startApp, type TestApp, type TestAppOptions } from './app.ts';
import type { StoreTests } from './store.ts';
import type { Database } from './test-database.ts';
import { providerOf, settingsOf, until, vendorFor } from './vendor-gateway.ts';
import { answerText } from './wire-clients.ts';

/** Keys for each purpose, the same in all processes of a test. */
export const testKeyFor: ConstructorParameters<typeof Sealing>[0] = (purpose) =>
  createSecretKey(createHmac('sha256', 'secret of tests').update(purpose).digest());

/** What a process has of it, which is in `instances`. */
export async function idempotencyOf(
  store: Store,
  instanceId: string,
  more: Partial<IdempotencySettings> = {},
): Promise<OpenIdempotency> {
  await store.db
    .insertInto('instances')
    .values({ id: instanceId, host: 'test', pid: process.pid, started_at: 0, expires_at: 2 ** 52 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return openIdempotency(store, {
    instanceId,
    idempotencyHours: 24,
    idempotencyMaxAnswer: 1024 * 1024,
    idempotencyMaxKeys: 1000,
    idempotencyMaxTotal: 1024 * 1024,
    keyFor: testKeyFor,
    onError: (error) => {
      throw error;
    },
    ...more,
  });
}

/** The process has ended, and its row is deleted. */
export async function bury(store: Store, instanceId: string): Promise<void> {
  await store.db.deleteFrom('instances').where('id', '=', instanceId).execute();
}

export function answerOf(text: string): KeptAnswer {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from(text) };
}

export type Outcome = { readonly kept: string } | { readonly claimed: Claimed } | { readonly code: string };

/** What comes of a claim, for a test that looks at several. */
export async function tryClaim(
  keys: Idempotency,
  key = 'key',
  request = 'request',
  owner = 'acme',
): Promise<Outcome> {
  const fingerprint = keys.fingerprint().update(request).digest('base64url');
  try {
    const claim = await keys.claim({ owner, key, fingerprint });
    return 'kept' in claim ? { kept: claim.kept.body.toString() } : claim;
  } catch (error) {
    return { code: (error as { code: string }).code };
  }
}

/** A claim that must be won. */
export async function won(outcome: Promise<Outcome>): Promise<Claimed> {
  const got = await outcome;
  if ('claimed' in got) return got.claimed;
  throw new Error(`It was not won: ${JSON.stringify(got)}`);
}

/** A server with a vendor behind it that speaks every wire. */
export async function server(
  on: StoreTests,
  vendor: ScriptedVendor,
  database: Database,
  more: TestAppOptions = {},
): Promise<TestApp> {
  const app = await startApp({
    database,
    models: settingsOf([
      providerOf('openai', vendor.baseUrl),
      providerOf('openai', vendor.baseUrl, { id: 'responses', speaks: ['openai-responses'], patterns: [] }),
      providerOf('anthropic', vendor.baseUrl),
      providerOf('gemini', vendor.baseUrl.replace(/\/v1$/, '')),
    ]),
    ...more,
  });
  on.cleanUp(() => app.close());
  return app;
}

/** Such a server on a database of its own. */
export async function begin(on: StoreTests, script: VendorScript = answerText, more: TestAppOptions = {}) {
  const vendor = await vendorFor(script);
  const database = await on.database();
  return { vendor, database, app: await server(on, vendor, database, more) };
}

/** A vendor that answers on command. */
export function waiting() {
  const replies: VendorReply[] = [];
  const script: VendorScript = (reply) => void replies.push(reply);
  const answer = async () => {
    await until(() => replies.length > 0);
    for (const reply of replies.splice(0)) await answerText(reply);
  };
  return { script, replies, answer };
}

type Body = Record<string, unknown>;

/** A request in which one field has a value, and all around it is what its path says. */
export function bodyWith(path: string, value: unknown): Body {
  return made(parseFieldPath(path), value) as Body;
}

function made(steps: readonly Step[], value: unknown): unknown {
  const [step, ...rest] = steps;
  switch (step?.kind) {
    case undefined:
      return value;
    case 'field':
      return { [step.name]: made(rest, value) };
    case 'items':
      return [made(rest, value)];
    case 'variant':
      return {
        [step.by]: step.values[0],
        ...(made(rest, rest.length === 0 ? (value ?? {}) : value) as Body),
      };
    case 'value':
      return step.value;
  }
}

/** The rows that a field is judged by, from the outermost to its own. */
export function rowsOnTheWay(tree: FieldNode, path: string): readonly FieldRow[] {
  let node: FieldNode | null | undefined = tree;
  const rows: FieldRow[] = [];
  for (const step of parseFieldPath(path)) {
    if (step.kind === 'value') {
      const row = node?.values.get(step.value);
      return row ? [...rows.slice(0, -1), row] : rows;
    }
    if (step.kind === 'field') node = node?.fields.get(step.name);
    else if (step.kind === 'items') node = node?.items;
    else node = node?.variants.get(step.by)?.get(step.values[0] ?? '');
    if (node?.row && node.row !== rows.at(-1)) rows.push(node.row);
  }
  return rows;
}
