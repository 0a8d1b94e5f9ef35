import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Environment = Readonly<Record<string, string>>;

/** How many events pass on a way that cuts streams off. */
const passing = 3;

/**
 * Runs live tests and samples with what they need of a server, in their environment: `JOB_ID` and `DEMO_JOB_ID` of builds that
 * are done, which samples read, and `SWITCHYARD_CUT_URL`, by which every stream of events ends after the third. All their
 * requests come from an address of their own, so that the public demo's limit is not shared with other languages.
 *
 * @param env What the server is reached by, as a library's `live` gets it. The server has to trust 127.0.0.1 as a proxy.
 * @param client A number of its own for each language, 1 to 254.
 */
export async function withGiven(
  env: Environment,
  client: number,
  run: (env: Environment) => Promise<void>,
): Promise<void> {
  const proxy = createServer((incoming, outgoing) =>
    passOn(env['SWITCHYARD_BASE_URL'] ?? '', `203.0.113.${client}`, incoming, outgoing),
  );
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  try {
    await run({
      ...env,
      SWITCHYARD_BASE_URL: url,
      SWITCHYARD_CUT_URL: `${url}/cut`,
      DEMO_JOB_ID: await demoBuild(url),
      JOB_ID: await tenantBuild(url, env['SWITCHYARD_API_KEY'] ?? ''),
    });
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
}

function passOn(to: string, address: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const cuts = incoming.url?.startsWith('/cut/') ?? false;
  const target = new URL((cuts ? incoming.url?.slice('/cut'.length) : incoming.url) ?? '/', to);
  const headers = { ...incoming.headers, host: target.host, 'x-forwarded-for': address };
  const passed = request(target, { method: incoming.method ?? 'GET', headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    if (cuts && answer.headers['content-type']?.startsWith('text/event-stream')) void cut(answer, outgoing);
    else answer.pipe(outgoing);
  });
  passed.on('error', () => outgoing.destroy());
  outgoing.on('close', () => passed.destroy());
  incoming.pipe(passed);
}

async function cut(answer: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (text.split('\n\n').length > passing) break;
  }
  outgoing.end(`${text.split('\n\n').slice(0, passing).join('\n\n')}\n\n`);
}

const prompt = JSON.stringify({ prompt: 'a list of books' });
const json = { 'content-type': 'application/json' };

async function demoBuild(url: string): Promise<string> {
  const response = await fetch(`${url}/api/factory/public-demo`, {
    method: 'POST',
    headers: json,
    body: prompt,
  });
  const events = await response.text();
  const id = response.headers.get('x-job-id');
  if (!id || !events.includes('job.succeeded')) throw new Error(`no demo build: ${events}`);
  return id;
}

async function tenantBuild(url: string, apiKey: string): Promise<string> {
  const headers = { ...json, 'x-api-key': apiKey };
  const place = `${url}/api/v1/factory/jobs`;
  const { id } = (await (await fetch(place, { method: 'POST', headers, body: prompt })).json()) as {
    id: string;
  };
  const events = await (await fetch(`${place}/${id}/events`, { headers })).text();
  if (!events.includes('job.succeeded')) throw new Error(`no build: ${events}`);
  return id;
}
