import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { programsOf, type Sample, samplesOf } from './samples.ts';

/** A program that the documentation prints to show an operation in a language, and that the live tests run. */
export interface Program {
  readonly operationId: string;
  readonly source: string;
}

/**
 * All programs in a language, one for each operation. Each is a whole file, which is printed as it is run. Those of a language
 * whose samples are pieces of a live test are made of the pieces: how the client is made, then each call of the operation.
 */
export function printedIn(language: string): Program[] {
  const whole = [...programsOf(language)].map(([operationId, source]) => ({ operationId, source }));
  const samples = samplesOf(language);
  const start = samples.filter(({ operationId }) => operationId === 'start');
  const ids = [...new Set(samples.map(({ operationId }) => operationId))].filter((id) => id !== 'start');
  const made = ids.map((operationId) => {
    const calls = samples.filter((sample) => sample.operationId === operationId);
    return { operationId, source: programOf(language, operationId, [...start, ...calls]) };
  });
  return [...whole, ...made];
}

type Piece = Pick<Sample, 'title' | 'source'>;

/** The whole program of an operation, as it is in its file but for the line break at its end. */
export function programOf(language: string, operationId: string, pieces: readonly Piece[]): string {
  switch (language) {
    case 'go':
      return goProgram(joined('//', pieces));
    case 'php':
      return phpProgram(pieces);
    case 'java':
      return javaProgram(operationId, pieces);
    default:
      return joined('#', pieces);
  }
}

const goPackages = ['context', 'errors', 'fmt', 'io', 'log', 'os'];

function goProgram(body: string): string {
  const used = goPackages
    .filter((name) => new RegExp(`\\b${name}\\.`).test(body))
    .map((name) => `\t"${name}"`);
  const imports = [...used, '', '\t"github.com/switchyard/switchyard-go"'];
  return `package main\n\nimport (\n${imports.join('\n')}\n)\n\nfunc main() {\n${indented('\t', body)}\n}`;
}

function phpProgram(pieces: readonly Piece[]): string {
  const { top, rest } = lifted(/^use .*;$/, pieces);
  return `<?php\n\n${top}\n\nrequire __DIR__ . '/vendor/autoload.php';\n\n${joined('//', rest)}`;
}

function javaProgram(operationId: string, pieces: readonly Piece[]): string {
  const { top, rest } = lifted(/^import .*;$/, pieces);
  const main = `public static void main(String[] args) throws Exception {\n${indented('    ', joined('//', rest))}\n}`;
  return `${top}\n\npublic class ${javaClassOf(operationId)} {\n${indented('    ', main)}\n}`;
}

/** The class that the program of an operation is in Java, in a file of the same name. */
export function javaClassOf(operationId: string): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1);
}

function joined(comment: string, pieces: readonly Piece[]): string {
  return pieces.map(({ title, source }) => (title ? `${comment} ${title}\n${source}` : source)).join('\n\n');
}

function indented(by: string, text: string): string {
  return text.replaceAll(/^(?=.)/gm, by);
}

/** The lines that have to stand at the top of a file, each once and sorted, and the pieces without them. */
function lifted(isTop: RegExp, pieces: readonly Piece[]): { top: string; rest: Piece[] } {
  const top = new Set<string>();
  const rest = pieces.map(({ title, source }) => {
    const lines = source.split('\n');
    for (const line of lines) if (isTop.test(line)) top.add(line);
    return {
      title,
      source: lines
        .filter((line) => !isTop.test(line))
        .join('\n')
        .trim(),
    };
  });
  return { top: [...top].sort().join('\n'), rest };
}

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
