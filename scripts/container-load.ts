/**
 * Asks a server that runs in a container: chats, streams, long prompts and apps to build at once, for so many seconds. Fails where
 * an answer is missing. What `.ci/container` loads it with.
 *
 *   node scripts/container-load.ts URL KEY SECONDS BUILDS
 */
import { setTimeout as sleep } from 'node:timers/promises';

const [url = '', key = '', seconds = '', builds = ''] = process.argv.slice(2);
const until = Date.now() + Number(seconds) * 1000;
const answers = new Map<number, number>();
/** The first answer that is neither, in its own words. */
let unexpected: string | undefined;

/** 64 clients, each with one request after the other; every eighth sends long prompts, every fourth reads a stream. */
async function chats(client: number): Promise<void> {
  while (Date.now() < until) {
    const content = client % 8 === 0 ? 'word '.repeat(20_000) : 'Hello!';
    const response = await fetch(`${url}/v1/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'sandbox/echo',
        stream: client % 4 === 1,
        messages: [{ role: 'user', content }],
      }),
    });
    const text = await response.text();
    if (response.status !== 200 && response.status !== 503) unexpected ??= text;
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
    // What is shed is asked for again, later.
    if (response.status === 503) await sleep(500);
  }
}

async function build(number: number): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const prompt = `a reading list of ${number + 2} friends, where each book can be rated`;
  for (;;) {
    const response = await fetch(`${url}/api/v1/factory/jobs`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ prompt }),
    });
    if (response.status === 503) {
      await response.text();
      await sleep(500);
      continue;
    }
    const { id } = (await response.json()) as { id?: string };
    if (!id) throw new Error(`A build was answered with ${response.status}.`);
    await end(`${url}/api/v1/factory/jobs/${id}`, headers);
    return;
  }
}

async function end(job: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    await sleep(300);
    const response = await fetch(job, { headers });
    const { status } = (await response.json()) as { status?: string };
    if (status === 'succeeded') return;
    if (status === 'failed' || status === 'cancelled') throw new Error(`A build ended as ${status}.`);
  }
}

await Promise.all([
  ...Array.from({ length: 64 }, (_, client) => chats(client)),
  ...Array.from({ length: Number(builds) }, (_, number) => build(number)),
]);
const others = [...answers.keys()].filter((status) => status !== 200 && status !== 503);
console.log(`answers by status: ${JSON.stringify(Object.fromEntries(answers))}; ${builds} apps built`);
if (unexpected !== undefined) console.log(unexpected.slice(0, 1000));
if (others.length > 0 || !answers.get(200)) process.exitCode = 1;
