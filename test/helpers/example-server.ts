import { examplePath, type OperationAt } from '../../src/contract/served/document.ts';
import { startApp, type TestApp, type TestAppOptions } from './app.ts';
import { contract } from './contract.ts';
import { uploadExampleFile } from './example-ask.ts';
import { ask } from './http.ts';

/** A server that has what the contract's examples speak of: a tenant, its key, a sign-up, a request, a run, builds. */
export interface ExampleServer {
  readonly app: TestApp;
  /** The file that the examples make a batch of. */
  readonly fileId: string;
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

  const fileId = await uploadExampleFile(app.url);

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
      .replaceAll(/\bsig_\w+/g, signupIds.get(id) ?? '$&');
  return { app, fileId, given, pathOf: (at) => given(at, examplePath(contract, at)), renew };
}
