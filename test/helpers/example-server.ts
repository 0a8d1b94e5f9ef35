import { examplePath, examplesOf, isForAdmin, takesApiKeyHeader } from '../../scripts/generate/document.ts';
import {
  type Document,
  type Operation,
  type OperationAt,
  resolve,
  type Schema,
} from '../../src/contract/served/document.ts';
import { agentOf } from './agents.ts';
import { startApp, type TestApp, type TestAppOptions, testAdminPassword, testKey } from './app.ts';
import { contract } from './contract.ts';
import { type Ask, ask } from './http.ts';
import { ticketTriage } from './vendor-answers.ts';

/** A server that has what the contract's examples speak of: a tenant, its key, its budget, a webhook, a sign-up, a request, a run, builds. */
export interface ExampleServer {
  readonly app: TestApp;
  /** The file that the examples make a batch of. */
  readonly fileId: string;
  /** As `exampleAsk` makes it for this server. */
  askOf(at: OperationAt): Ask;
  /** The path of an operation with the examples of its parameters. */
  pathOf(at: OperationAt): string;
  /** A text with what there is here in place of the ids of the contract's examples. */
  given(at: OperationAt, text: string): string;
  /** Makes again what some operations use up: a key, sign-ups, what is deleted. */
  renew(): Promise<void>;
}

const exampleBuild = 'job_5x2k8q0v7c3m9r1t6w4y0z8b2d';

/** What the general operation of the AI features carries out: the built-in ones have operations of their own. */
export const ownFeature = { ...ticketTriage, input: { type: 'object' }, prompt: '{{input}}' };

/** What the general operation of the agents runs. */
const ownAgent = agentOf({ tools: [] });

export async function startExampleServer(options: TestAppOptions = {}): Promise<ExampleServer> {
  const app = await startApp({ features: [ownFeature], agents: { agents: [ownAgent] }, ...options });
  await app.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
  // The request that the contract's examples speak of.
  const headers = { 'x-request-id': 'req_01K9Z3V7Q4W8X2M6N5B1C0D9EF' };
  await ask(`${app.url}/v1/chat`, { body: { message: 'Hello' }, headers });
  const run = await ask(`${app.url}/v1/agents/assistant/run`, { body: { input: 'Hello' } });
  const build = { prompt: 'an expense tracker' };
  const demo = await ask(`${app.url}/api/factory/public-demo`, { body: build, key: null });
  const job = await ask(`${app.url}/api/v1/factory/jobs`, { body: build, keyAs: 'x-api-key' });
  await ask(job.json.links.events, { keyAs: 'x-api-key' });

  const fileId = await uploadExampleFile(app.url);

  const administer = (path: string, body?: object) =>
    ask(`${app.url}/api/admin${path}`, { key: testAdminPassword, ...(body && { body }) });
  const newBudget = { tenant_id: 'acme', unit: 'money', window: 'month', limit: 500 };
  const newWebhook = { tenant_id: 'acme', url: 'https://hooks.example/switchyard' };
  const made = async (path: string, body: object): Promise<string> => {
    const { json } = await administer(path, body);
    return json.id ?? json.webhook.id;
  };
  /** The one that is there, or another where it was deleted. */
  const present = async (path: string, id: string, body: object): Promise<string> =>
    id !== '' && (await administer(`${path}/${id}`)).status === 200 ? id : made(path, body);
  const budgetId = await made('/budgets', newBudget);
  const webhookId = await made('/webhooks', newWebhook);
  const deliveryId = (await administer(`/webhooks/${webhookId}/test`, {})).json.id;
  /** To be deleted. */
  const spare = { budgetId: '', webhookId: '' };

  let keyId = '';
  let sessionId = '';
  const signupIds = new Map<string, string>();
  let round = 0;
  const renew = async () => {
    round += 1;
    keyId = (await app.accounts.storedKeys.create({ tenantId: 'acme' }, 'test')).key.id;
    sessionId = (await app.accounts.sessions.begin('acme')).id;
    spare.budgetId = await present('/budgets', spare.budgetId, newBudget);
    spare.webhookId = await present('/webhooks', spare.webhookId, newWebhook);
    // One for each operation that decides on one.
    for (const operation of ['approveSignup', 'rejectSignup']) {
      const email = `ada-${round}@${operation.toLowerCase()}.example`;
      await app.accounts.signups.request({ email, orgName: email, tier: 'pro' }, `client-${round}`);
      const { items } = await app.accounts.signups.list({ limit: 10 });
      signupIds.set(operation, items.find((signup) => signup.email === email)?.id ?? '');
    }
  };
  await renew();

  const given = ({ id, operation }: OperationAt, text: string) =>
    text
      .replaceAll('7Hq2Lm9TzW4x', keyId)
      .replaceAll(/\brun_\w{26}/g, run.json.id)
      .replaceAll(/\bbgt_\w{26}/g, id === 'deleteBudget' ? spare.budgetId : budgetId)
      .replaceAll(/\bwhk_\w{26}/g, id === 'deleteWebhook' ? spare.webhookId : webhookId)
      .replaceAll(/\bses_\w{26}/g, sessionId)
      .replaceAll(/\bwhd_\w{26}/g, deliveryId)
      .replaceAll(
        exampleBuild,
        operation.security.length === 0 ? String(demo.headers['x-job-id']) : job.json.id,
      )
      .replaceAll(/\bsig_\w+/g, signupIds.get(id) ?? '$&');
  return {
    app,
    askOf: (at) => exampleAsk(at, fileId),
    fileId,
    given,
    pathOf: (at) => given(at, ownPath(at)),
    renew,
  };
}

/** The path with its examples; the general operations get what has no operation of its own. */
function ownPath(at: OperationAt): string {
  const path = examplePath(contract, at);
  if (at.id === 'useFeature') return path.replace('keywords', ownFeature.id);
  return at.id === 'runAgent' ? path.replace('assistant', ownAgent.id) : path;
}

let tenants = 0;

/**
 * A request that the contract accepts, made from its examples.
 * @param fileId of the file that the example makes a batch of
 */
export function exampleAsk({ id, method, operation }: OperationAt, fileId: string): Ask {
  const example = exampleBody(contract, operation);
  let { body } = example;
  if (id === 'createBatch') body = { ...(body as object), input_file_id: fileId };
  if (id === 'createAdminSession') body = { password: testAdminPassword };
  // The example's own tenant is there already.
  if (id === 'createTenant') body = { ...(body as object), id: `acme-${++tenants}` };
  const key = isForAdmin(operation) ? testAdminPassword : testKey;
  const keyAs = takesApiKeyHeader(operation) ? 'x-api-key' : 'bearer';
  return { ...example, method: method.toUpperCase(), key, keyAs, ...(body === undefined ? {} : { body }) };
}

/** A body as it is sent, with the media type that it has where that is not JSON. */
export interface ExampleBody {
  readonly body?: unknown;
  readonly headers?: { readonly 'content-type': string };
}

/** Whether an operation takes a form in place of JSON. */
export function takesForm({ requestBody }: Operation): boolean {
  return requestBody?.content['multipart/form-data'] !== undefined;
}

/** The body of a request from the first of the contract's examples; one with other fields where they are given. */
export function exampleBody(contract: Document, { requestBody }: Operation, other: object = {}): ExampleBody {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!media) return {};
  const example = examplesOf(contract, media)[0]?.[2];
  if (type !== 'multipart/form-data') {
    const isObject = typeof example === 'object' && example !== null;
    return { body: isObject ? { ...example, ...other } : example };
  }
  const { properties = {} } = resolve(contract, media.schema);
  return form({ ...(example as Record<string, unknown>), ...other }, (name) =>
    isFile(resolve<Schema>(contract, properties[name] ?? {})),
  );
}

const isFile = (schema: Schema) => schema['format'] === 'binary' || 'contentMediaType' in schema;
const boundary = 'of-an-example';

function form(
  fields: Readonly<Record<string, unknown>>,
  isFileField: (name: string) => boolean,
): ExampleBody {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const parts = given.flatMap(([name, value]) => {
    const file = isFileField(name);
    const about = `name="${name}"${file ? `; filename="${value}"` : ''}`;
    const bytes = file ? fileNamed(String(value)) : Buffer.from(String(value));
    const head = `--${boundary}\r\ncontent-disposition: form-data; ${about}\r\n\r\n`;
    return [Buffer.from(head), bytes, Buffer.from('\r\n')];
  });
  return {
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** The file that the contract's examples speak of. */
export const exampleFileId = 'file-sy01k9z3v7q4w8x2m6n5b1c0d9ef';

/** Uploads the file that the examples speak of. @returns its id */
export async function uploadExampleFile(url: string): Promise<string> {
  const bytes = fileNamed('requests.jsonl');
  const sent = form({ purpose: 'batch', file: 'requests.jsonl' }, (name) => name === 'file');
  const { json } = await ask(`${url}/v1/files`, { ...sent, direct: true });
  if (json.bytes !== bytes.length) throw new Error(`The file was not taken: ${JSON.stringify(json)}`);
  return json.id;
}

/** A picture of one pixel, a batch of one request, or a tenth of a second of silence. */
export function fileNamed(name: string): Buffer {
  if (name.endsWith('.jsonl')) {
    const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello!' }] };
    const line = { custom_id: 'one', method: 'POST', url: '/v1/chat/completions', body };
    return Buffer.from(`${JSON.stringify(line)}\n`);
  }
  return name.endsWith('.png')
    ? Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      )
    : Buffer.concat([
        Buffer.from('UklGRkQDAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YSADAAA=', 'base64'),
        Buffer.alloc(800, 128),
      ]);
}
