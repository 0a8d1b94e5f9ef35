import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Environment = Readonly<Record<string, string>>;

/** How many events pass on a way that cuts streams off. */
const passing = 3;

/**
 * Runs live tests and samples with what they need of a server, in their environment: `JOB_ID` and `DEMO_JOB_ID` of builds that
 * are done, which samples read, and `SWITCHYARD_CUT_URL`, by which every stream of events ends after the third.
 *
 * @param env What the server is reached by, as a library's `live` gets it.
 */
export async function withGiven(env: Environment, run: (env: Environment) => Promise<void>): Promise<void> {
  const server = env['SWITCHYARD_BASE_URL'] ?? '';
  const way = createServer((incoming, outgoing) => passOn(server, incoming, outgoing));
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const cutting = `http://127.0.0.1:${(way.address() as AddressInfo).port}`;
  try {
    await run({
      ...env,
      SWITCHYARD_CUT_URL: cutting,
      DEMO_JOB_ID: await demoBuild(server),
      JOB_ID: await tenantBuild(server, env['SWITCHYARD_API_KEY'] ?? ''),
    });
  } finally {
    way.closeAllConnections();
    way.close();
  }
}

function passOn(server: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const target = new URL(incoming.url ?? '/', server);
  const headers = { ...incoming.headers, host: target.host };
  const passed = request(target, { method: incoming.method ?? 'GET', headers }, (answer) => {
    const cuts = answer.headers['content-type']?.startsWith('text/event-stream') ?? false;
    // Behind Prism a stream has a length, and a client would wait for all of it until the connection is given up.
    if (cuts) delete answer.headers['content-length'];
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    if (cuts) void cut(answer, outgoing);
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
  const address = `${url}/api/v1/factory/jobs`;
  const { id } = (await (await fetch(address, { method: 'POST', headers, body: prompt })).json()) as {
    id: string;
  };
  const events = await (await fetch(`${address}/${id}/events`, { headers })).text();
  if (!events.includes('job.succeeded')) throw new Error(`no build: ${events}`);
  return id;
}
