/**
 * What users of gateways have reported, as requests of clients on their way to vendors: the readers, dialects and writers are the
 * server's own, and only the connection is none.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ServiceError } from '../../../../src/contract/errors.ts';
import { type Dialects, vendorDialects } from '../../../../src/gateway/dialects/dialect.ts';
import { inDialect } from '../../../../src/gateway/dialects/speak.ts';
import type { ProviderSettings } from '../../../../src/gateway/upstream/settings.ts';
import type { Connection } from '../../../../src/gateway/upstream/vendor-client.ts';
import { anthropicWire } from '../../../../src/gateway/wires/anthropic/client/read.ts';
import { createAnthropicAdapter } from '../../../../src/gateway/wires/anthropic/vendor/request.ts';
import { geminiWire } from '../../../../src/gateway/wires/gemini/client/wire.ts';
import { createGeminiAdapter } from '../../../../src/gateway/wires/gemini/vendor/request.ts';
import { openAiChatWire } from '../../../../src/gateway/wires/openai-chat/client/wire.ts';
import { createOpenAiAdapter } from '../../../../src/gateway/wires/openai-chat/vendor/request.ts';
import { openAiResponsesWire } from '../../../../src/gateway/wires/openai-responses/client/wire.ts';
import { createResponsesAdapter } from '../../../../src/gateway/wires/openai-responses/vendor/request.ts';
import type { Body, Wire } from '../../../../src/gateway/wires/wire.ts';
import type { VendorWire } from '../../../../src/model/parts.ts';
import { testEvery } from '../../../helpers/test-every.ts';
import { providerOf } from '../../../helpers/vendor-gateway.ts';

interface Report {
  readonly id: string;
  readonly source: string;
  readonly client: VendorWire;
  readonly vendor: { readonly wire: VendorWire; readonly model: string; readonly host?: string };
  readonly request: Body;
  readonly sent?: Readonly<Record<string, unknown>>;
  readonly refused?: string;
  readonly warned?: readonly string[];
}

const file = new URL('../../../fixtures/wires/reports.yaml', import.meta.url);
const reports = parse(readFileSync(file, 'utf8')) as readonly Report[];

const clients: Readonly<Record<VendorWire, Wire>> = {
  'openai-chat': openAiChatWire,
  'openai-responses': openAiResponsesWire,
  anthropic: anthropicWire,
  gemini: geminiWire,
};
const adapters = {
  'openai-chat': createOpenAiAdapter,
  'openai-responses': createResponsesAdapter,
  anthropic: createAnthropicAdapter,
  gemini: createGeminiAdapter,
} as const;

/** What a vendor is sent, with the codes of the warnings; the path of what is refused. */
async function sent(
  { client, vendor: { wire, model, host = 'vendor.example.com' }, request }: Report,
  dialects: Dialects = vendorDialects(),
): Promise<
  { readonly body: unknown; readonly warned: readonly string[] } | { readonly refused: string | null }
> {
  const provider: ProviderSettings = {
    ...providerOf('responses', `https://${host}/v1`),
    speaks: [wire],
    maxTokensField: 'max_tokens',
  };
  let body: unknown;
  const connection: Connection = {
    vendor: { id: 'v', apiKey: null },
    withoutStreamUsage: new Set(),
    send(call) {
      body = JSON.parse(String(call.body));
      throw new Error('There is no vendor.');
    },
    close: async () => undefined,
  };
  const adapter = inDialect(adapters[wire](provider, connection), dialects.at(provider, wire));
  try {
    const { call } = clients[client].read({ model, ...request });
    const prepared = adapter.prepare({ ...call, model, temperatureRange: null });
    const options = { signal: new AbortController().signal, memory: null, limits: null };
    await expect(prepared.complete(options)).rejects.toThrow('There is no vendor.');
    return { body, warned: [...new Set(prepared.warnings.map(({ code }) => code))] };
  } catch (error) {
    if (error instanceof ServiceError) return { refused: error.param };
    throw error;
  }
}

/** The value at a path such as `messages[0].role`. */
function at(value: unknown, path: string): unknown {
  return path
    .match(/[^.[\]]+/g)
    ?.reduce<unknown>(
      (inner, step) => (inner as Readonly<Record<string, unknown>> | undefined)?.[step],
      value,
    );
}

testEvery('a reported request reaches its vendor in the vendor’s dialect', reports, async (report) => {
  const result = await sent(report);
  if (report.refused !== undefined) {
    expect(result).toEqual({ refused: report.refused });
    return;
  }
  if ('refused' in result) throw new Error(`It was refused: ${result.refused}`);
  for (const [path, expected] of Object.entries(report.sent ?? {})) {
    const found = at(result.body, path);
    const pattern = typeof expected === 'string' ? /^\/(.*)\/$/s.exec(expected)?.[1] : undefined;
    if (pattern !== undefined) expect(JSON.stringify(found), path).toMatch(new RegExp(pattern, 's'));
    else expect(found ?? null, path).toEqual(expected);
  }
  expect([...result.warned].sort()).toEqual([...(report.warned ?? [])].sort());
});

testEvery('a report names where it is from', reports, ({ source }) => {
  expect(source).toMatch(/^https:\/\//);
});

/** What others have reported: each is shown not to happen here by a test that exists, or it is said why it cannot. */
describe('what other gateways were reported for', () => {
  interface Report {
    readonly thread: string;
    readonly shown: readonly (readonly [file: string, title: string])[];
    readonly because?: string;
  }

  const root = path.join(import.meta.dirname, '../../../..');
  const { reports } = parse(readFileSync(path.join(root, 'test/fixtures/wires/reported.yaml'), 'utf8')) as {
    reports: readonly Report[];
  };
  const texts = new Map<string, string>();

  function textOf(file: string): string {
    const known = texts.get(file) ?? readFileSync(path.join(root, file), 'utf8');
    texts.set(file, known);
    return known;
  }

  /** Whether a file has a test, or a row of one, whose title begins so. */
  function names(file: string, title: string): boolean {
    return [`'`, '"', '`'].some((quote) => textOf(file).includes(quote + title));
  }

  it('there are sixty, each once', () => {
    expect(reports).toHaveLength(60);
    expect(new Set(reports.map(({ thread }) => thread)).size).toBe(60);
    for (const { thread } of reports) expect(thread).toMatch(/^[\w.-]+\/[\w.-]+#\d+$/);
  });

  it.each(reports)('$thread is shown not to happen, or cannot', ({ shown, because }: Report) => {
    expect(shown.length > 0 || because !== undefined).toBe(true);
    for (const [file, title] of shown) expect([file, title, names(file, title)]).toEqual([file, title, true]);
  });
});
