/** What the checks with real models have in common: how a gateway is asked, and how what differs is compared with what is known. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { request } from 'undici';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { type TestApp, testKey } from '../helpers/app.ts';
import { type Answer, ask } from '../helpers/http.ts';
import { type Asked, eventsIn, type ModelClient, modelClients, type Read, requestOf } from './clients.ts';

interface Difference {
  /** Client, provider and what differs; `*` for any text. */
  readonly where: string;
  /** In how many ways it is found. */
  readonly ways: number;
  readonly reason: string;
}

const known = parse(readFileSync(path.join(import.meta.dirname, 'known-differences.yaml'), 'utf8')) as Record<
  string,
  readonly Difference[]
>;

/** What is found has to be what is known: a difference that is over has to leave the list, too. */
export function expectKnown(kind: string, found: readonly string[]): void {
  const listed = (known[kind] ?? []).map(({ where, ways }) => {
    const pattern = new RegExp(`^${where.split('*').map(escaped).join('.*')}$`);
    return { where, ways, matching: found.filter((each) => pattern.test(each)) };
  });
  const matched = new Set(listed.flatMap(({ matching }) => matching));
  expect({
    unknown: found.filter((each) => !matched.has(each)),
    ways: listed.map(({ where, matching }) => [where, matching.length]),
  }).toEqual({ unknown: [], ways: listed.map(({ where, ways }) => [where, ways]) });
}

const escaped = (text: string) => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');

export interface Way {
  readonly client: ModelClient;
  readonly provider: string;
  readonly streamed: boolean;
  readonly where: string;
}

/** Each client and each provider, streamed and whole. */
export const waysTo = (providers: readonly string[]): readonly Way[] =>
  modelClients.flatMap((client) =>
    providers.flatMap((provider) =>
      [false, true].map((streamed) => ({
        client,
        provider,
        streamed,
        where: `${client.name} → ${provider}${streamed ? ', streamed' : ''}`,
      })),
    ),
  );

export async function asked(
  base: string,
  client: ModelClient,
  model: string,
  what: Asked,
  streamed: boolean,
): Promise<Answer> {
  return await ask(base + client.path(model, streamed), requestOf(client, model, what, streamed));
}

export function readOf(client: ModelClient, answer: Answer, streamed: boolean): Read {
  expect(answer.status, answer.text).toBe(200);
  return streamed ? client.readStream(eventsIn(answer.text)) : client.read(answer.json);
}

/** A stream that is read from the moment it begins. */
export async function openStream(base: string, client: ModelClient, model: string, what: Asked) {
  const left = new AbortController();
  const reply = await request(base + client.path(model, true), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${testKey}` },
    body: JSON.stringify(client.body(model, what, true)),
    signal: left.signal,
  });
  let text = '';
  const over = (async () => {
    for await (const piece of reply.body.setEncoding('utf8')) text += piece;
    return true;
  })().catch(() => false);
  expect(reply.statusCode).toBe(200);
  return {
    id: String(reply.headers['x-request-id']),
    /** Whether the connection ended the body in good order. */
    over,
    text: () => text,
    events: () => eventsIn(text.slice(0, text.lastIndexOf('\n') + 1)),
    leave: () => left.abort(),
  };
}

export async function ledgerRow(of: TestApp, id: string | undefined) {
  for (;;) {
    const { json } = await ask(`${of.url}/v1/requests/${id}`, { direct: true });
    if (json.status !== 'running') return json;
  }
}
