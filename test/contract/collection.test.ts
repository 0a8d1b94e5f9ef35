/** What importers of others need of the Postman collection: `npm run verify -- contract` runs it in Newman and in Bruno. */
import { beforeAll, expect, it } from 'vitest';
import { publicDocuments } from '../../src/contract/served/documents.ts';
import { agentOf } from '../helpers/agents.ts';
import { ticketTriage } from '../helpers/feature-vendor.ts';

interface Url {
  raw?: string;
  host: string[];
  path: string[];
  query?: { key: string; value: string; disabled?: boolean }[];
}
interface Item {
  name: string;
  request: {
    url: Url;
    header: { key: string; value: string }[];
    body?: { formdata?: { key: string; type: string; value?: string; src?: string }[] };
  };
  response: { code: number; originalRequest: { url: Url } }[];
  event: { script: { exec: string[] } }[];
}

let items: Item[];
beforeAll(async () => {
  const served = { features: [ticketTriage], agents: [agentOf({ id: 'support' })], opened: new Set<never>() };
  const { text } = await publicDocuments('http://127.0.0.1:9999', served).postman();
  items = (JSON.parse(text) as { item: { item: Item[] }[] }).item.flatMap((folder) => folder.item);
});

// Bruno reads it alone, and puts `http://` before a host without it.
it('has the address of every request, and of what was sent for a reply, as a text beside its parts', () => {
  const urls = items.flatMap(({ request, response }) => [
    request.url,
    ...response.map(({ originalRequest }) => originalRequest.url),
  ]);
  expect(urls.length).toBeGreaterThan(300);
  const other = urls.filter(({ raw, host, path, query = [] }) => {
    const search = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
    return (
      raw !== [`${host.join('.')}/${path.join('/')}`, ...(search[0] ? [search.join('&')] : [])].join('?')
    );
  });
  expect(other).toEqual([]);
});

it('sends no file of a computer, no cursor, and a key of its own with every request', () => {
  const fields = items.flatMap(({ request }) => request.body?.formdata ?? []);
  const ofFiles = fields.filter((field) => 'fileName' in field);
  expect(ofFiles.length).toBeGreaterThan(3);
  expect(fields.filter(({ type, src }) => type === 'file' || src !== undefined)).toEqual([]);
  const cursors = items.flatMap(({ request }) =>
    (request.url.query ?? []).filter(({ key }) => key === 'cursor'),
  );
  expect(cursors.length).toBeGreaterThan(10);
  expect(cursors.filter(({ disabled, value }) => !disabled || value !== '')).toEqual([]);
  const keys = items.flatMap(({ request }) => request.header.filter(({ key }) => key === 'idempotency-key'));
  expect([keys.length > 30, ...new Set(keys.map(({ value }) => value))]).toEqual([true, '{{$guid}}']);
});

it('saves with each request what it is answered with where all goes well', () => {
  const codes = items.flatMap(({ response }) => response.map(({ code }) => code));
  expect(codes.length).toBeGreaterThan(130);
  expect(codes.filter((code) => code >= 400)).toEqual([]);
});
