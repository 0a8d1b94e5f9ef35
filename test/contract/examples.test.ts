import { afterAll, beforeAll, describe, expect } from 'vitest';
import { operations } from '../../generated/operations.gen.ts';
import type { ErrorCode } from '../../generated/types.gen.ts';
import {
  eventsIn,
  examplesOf,
  hasOpenQuery,
  isForAdmin,
  needsNoKey,
  takesApiKeyHeader,
} from '../../scripts/generate/document.ts';
import type { Validator } from '../../src/contract/built.ts';
import { built } from '../../src/contract/built.ts';
import type { OperationId } from '../../src/contract/registry.ts';
import {
  eventSchemaOf,
  isForeign,
  type OperationAt,
  operationsOf,
  repliesOf,
  resolve,
} from '../../src/contract/served/document.ts';
import { scopelessKey, startApp, type TestApp, testAdminPassword, testKey } from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';
import { takesForm } from '../helpers/example-server.ts';
import { type Ask, ask } from '../helpers/http.ts';
import { expectRefusal } from '../helpers/refusals.ts';
import { testEvery } from '../helpers/test-every.ts';

describe('examples', async () => {
  const requests = await built('problems');
  const replies = await built('replies');

  function expectToFit(validate: Validator | undefined, value: unknown) {
    expect(validate).toBeDefined();
    validate?.(value);
    expect(validate?.errors ?? []).toEqual([]);
  }

  /** The last event of a stream that is whole, on each foreign interface. */
  const lastOf = {
    openai: /^\[DONE\]$|^\{"type":"(?:response\.completed|[a-z_.]+\.(?:completed|done))"/,
    anthropic: /^\{"type":"message_stop"\}$/,
    gemini: /"finishReason":"STOP"/,
    mcp: /"result":/,
  } as const;

  interface Shown {
    readonly id: string;
    readonly validate: Validator | undefined;
    readonly value: unknown;
    readonly ofEvents?: boolean;
  }

  /** Each example once for each schema: what many operations have in common, such as their errors, is one object of the contract. */
  function once(all: readonly Shown[]): Shown[] {
    const seen = new Map<Validator, Set<unknown>>();
    return all.filter(({ validate, value }) => {
      if (!validate || typeof value !== 'object') return true;
      const values = seen.get(validate) ?? new Set();
      seen.set(validate, values);
      return !values.has(value) && values.add(value);
    });
  }

  const all = operationsOf(contract);
  const bodyIn = ({ operation }: OperationAt) => operation.requestBody?.content['application/json'];

  const asked: Shown[] = all.flatMap((at) => {
    const body = bodyIn(at);
    const variants: readonly string[] = operations[at.id as OperationId].body?.variants ?? [];
    return (body ? examplesOf(contract, body) : []).map(([name, , value]) => {
      const variant = variants.find((each) => Object.hasOwn(value as object, each));
      const validate = requests[at.id]?.[variant ? `body.${variant}` : 'body'];
      return { id: `${at.id} ${name}`, validate, value };
    });
  });

  testEvery('an operation takes its examples', once(asked), ({ validate, value }) => {
    expectToFit(validate, value);
  });

  const media = all.flatMap((at) =>
    repliesOf(contract, at.operation).flatMap(([status, reply]) =>
      Object.entries(reply.content ?? {}).map(([type, content]) => ({ at, status, type, content })),
    ),
  );

  const answered: Shown[] = media.flatMap(({ at: { id, operation }, status, type, content }) =>
    examplesOf(contract, content).map(([name, , value]) => ({
      id: `${id} ${status} ${type} ${name}`,
      validate: replies[id]?.[`${status} ${type}`],
      value,
      ofEvents: type === 'text/event-stream' && !isForeign(operation),
    })),
  );

  testEvery('an operation answers as in its examples', once(answered), ({ validate, value, ofEvents }) => {
    const values = ofEvents ? eventsIn(value as string) : [value];
    expect(values).not.toEqual([]);
    for (const one of values) expectToFit(validate, one);
  });

  const streams = media
    .filter(({ type }) => type === 'text/event-stream')
    .map(({ at, status, content }) => ({ id: `${at.id} ${status}`, operation: at.operation, content }));

  testEvery(
    'a stream of our own shows every kind of its events',
    streams.filter(({ operation }) => !isForeign(operation)),
    ({ content }) => {
      const union = resolve(contract, eventSchemaOf(content) ?? {});
      const { mapping } = union['discriminator'] as { mapping: object };
      const shown = examplesOf(contract, content).flatMap(([, , text]) => eventsIn(text as string));
      const kinds = new Set(shown.map((event) => (event as { type: string }).type));
      expect([...kinds].sort()).toEqual(Object.keys(mapping).sort());
    },
  );

  // Their events are their vendors' affair; an example has them whole, from the first to the one that ends a stream.
  testEvery(
    'a stream of a foreign interface is shown whole',
    streams.filter(({ operation }) => isForeign(operation)),
    ({ operation, content }) => {
      const shown = examplesOf(contract, content).map(([, , text]) => String(text));
      expect(shown).not.toEqual([]);
      for (const text of shown) {
        const frames = text.split('\n\n');
        expect(frames.pop()).toBe('');
        expect(frames.filter((frame) => !/^(?:event: [\w.]+\n)?data: \S.*$/.test(frame))).toEqual([]);
        const data = frames.map((frame) => frame.slice(frame.indexOf('data: ') + 6));
        const named = frames.flatMap((frame, n) => {
          const name = /^event: (.+)/.exec(frame)?.[1];
          return name === undefined ? [] : [[name, JSON.parse(data[n] ?? '').type]];
        });
        // Every event of MCP is called a message.
        const typed = named.filter(([, type]) => type !== undefined || operation['x-wire'] !== 'mcp');
        expect(typed.filter(([name, type]) => name !== type)).toEqual([]);
        const events = data.filter((one) => one !== '[DONE]').map((one) => JSON.parse(one));
        expect(events.filter((event) => typeof event !== 'object')).toEqual([]);
        expect(lastOf[operation['x-wire'] ?? 'gemini'].test(data.at(-1) ?? '')).toBe(true);
      }
    },
  );

  testEvery('an operation has an example on every media type', all, (at) => {
    const body = bodyIn(at);
    const contents = [
      ...(body ? [body] : []),
      ...repliesOf(contract, at.operation).flatMap(([, reply]) => Object.values(reply.content ?? {})),
    ];
    expect(contents.filter((content) => examplesOf(contract, content).length === 0)).toEqual([]);
  });
});

/** A request that is wrong in several ways is refused for them in one order, whatever operation it is for. */
describe('refusals', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  testEvery(
    'refuses by the caller, then by what is asked for, then by what is sent',
    operationsOf(contract),
    async (at) => {
      const { method, path, operation } = at;
      const secured = !needsNoKey(operation) && !operation.security.some((by) => 'metricsAccess' in by);
      // What the roles of admins may do is tested in jwt-credentials.test.ts.
      const scoped =
        secured && !isForAdmin(operation) && Object.values(operation.security[0] ?? {}).flat().length > 0;
      const keyAs = takesApiKeyHeader(operation) ? 'x-api-key' : 'bearer';
      const rightKey = isForAdmin(operation) ? testAdminPassword : testKey;
      const foreign = isForeign(operation);
      const [media] = Object.values(operation.requestBody?.content ?? {});
      /** Whether `{}` lacks something. */
      const requires = media !== undefined && (resolve(contract, media.schema).required ?? []).length > 0;

      const target = `${app.url}${path.replaceAll(/\{\w+\}/g, 'nothing')}?surprise=1`;
      const headers: Record<string, string> = { accept: 'image/png' };
      const asking: Ask & { body?: string; key: string | null } = {
        method: method.toUpperCase(),
        headers,
        keyAs,
        key: null,
        direct: true,
      };
      if (operation.requestBody) {
        headers['content-type'] = foreign && !takesForm(operation) ? 'multipart/mixed' : 'text/plain';
        asking.body = '{"half":';
      }
      const expectTo = async (code: ErrorCode) => expectRefusal(operation, await ask(target, asking), code);
      if (secured) {
        await expectTo(isForAdmin(operation) ? 'missing_credentials' : 'missing_api_key');
        if (scoped) {
          asking.key = scopelessKey;
          await expectTo('insufficient_scope');
        }
        asking.key = rightKey;
      }
      // What a foreign interface's clients accept and ask beside what they send is their own affair.
      if (!foreign) {
        await expectTo('not_acceptable');
        headers['accept'] = 'application/json';
      }
      if (operation.requestBody) {
        await expectTo('unsupported_media_type');
        headers['content-type'] = takesForm(operation)
          ? 'multipart/form-data; boundary=x'
          : 'application/json';
        await expectTo(takesForm(operation) ? 'malformed_request' : 'malformed_json');
        asking.body = takesForm(operation)
          ? '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n--x--\r\n'
          : '{}';
      }
      if (!hasOpenQuery(operation) || requires) return void (await expectTo('invalid_request'));
      const { status } = await ask(target, asking);
      expect([200, 400, 404]).toContain(status);
    },
  );
});
