import { examplePath, type OperationAt } from '../../src/contract/served/document.ts';
import { startApp, type TestApp, type TestAppOptions, testKey } from './app.ts';
import { contract } from './contract.ts';
import { ask } from './http.ts';

/** A server that has what the contract's examples speak of: a tenant, its key, a sign-up, a request, a run, builds. */
export interface ExampleServer {
  readonly app: TestApp;
  /** The path of an operation with the examples of its parameters. */
  pathOf(at: OperationAt): string;
  /** A text with what there is here in place of the ids of the contract's examples. */
  given(at: OperationAt, text: string): string;
  /** Makes another key and other sign-ups, as some operations use them up. */
  renew(): Promise<void>;
}

const exampleBuild = 'job_5x2k8q0v7c3m9r1t6w4y0z8b2d';

export async function startExampleServer(options: TestAppOptions = {}): Promise<ExampleServer> {
  const app = await startApp(options);
  await app.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
  // The request that the contract's examples speak of.
  const headers = { 'x-request-id': 'req_01K9Z3V7Q4W8X2M6N5B1C0D9EF' };
  await ask(`${app.url}/v1/chat`, { body: { message: 'Hello' }, headers });
  const run = await ask(`${app.url}/v1/agents/assistant/run`, { body: { input: 'Hello' } });
  const build = { prompt: 'an expense tracker' };
  const demo = await ask(`${app.url}/api/factory/public-demo`, { body: build, key: null });
  const job = await ask(`${app.url}/api/v1/factory/jobs`, { body: build, keyAs: 'x-api-key' });
  await ask(job.json.links.events, { keyAs: 'x-api-key' });

  const file = await keptExample(app);

  let keyId = '';
  const signupIds = new Map<string, string>();
  let round = 0;
  const renew = async () => {
    round += 1;
    keyId = (await app.accounts.storedKeys.create({ tenantId: 'acme' }, 'test')).key.id;
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
      .replaceAll(
        exampleBuild,
        operation.security.length === 0 ? String(demo.headers['x-job-id']) : job.json.id,
      )
      .replaceAll(/\bfile-sy\w{26}/g, id === 'createBatch' ? file : '$&')
      .replaceAll(/\bsig_\w+/g, signupIds.get(id) ?? '$&');
  return { app, given, pathOf: (at) => given(at, examplePath(contract, at)), renew };
}

/** The id of a file of the sandbox with requests. */
async function keptExample({ url }: TestApp): Promise<string> {
  const form = new FormData();
  form.set('purpose', 'batch');
  const request = { custom_id: 'one', method: 'POST', url: '/v1/chat/completions' };
  const body = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello' }] };
  form.set('file', new Blob([JSON.stringify({ ...request, body })]), 'requests.jsonl');
  const headers = { authorization: `Bearer ${testKey}` };
  const kept = await fetch(`${url}/v1/files`, { method: 'POST', headers, body: form });
  return ((await kept.json()) as { id: string }).id;
}
