/**
 * Sends requests without a pause on so many connections until it is killed, in a process of its own:
 * `flood.ts <url> <key> <connections>`. Says `{"answered": n}` to its parent from time to time.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';

const [url = '', key = '', connections = '1'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const body = JSON.stringify({ model: 'sandbox/echo', message: 'Hello' });
let answered = 0;

async function loop(): Promise<never> {
  for (;;) {
    try {
      const sent = request(`${url}/v1/chat`, {
        method: 'POST',
        agent,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      });
      sent.end(body);
      const [reply] = await once(sent, 'response');
      for await (const _ of reply);
      answered += 1;
    } catch {
      // A connection that was closed is opened again.
    }
  }
}

for (let count = 0; count < Number(connections); count += 1) void loop();
setInterval(() => process.send?.({ answered }), 200);
