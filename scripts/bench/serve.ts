/** What the servers of the bench itself, the mock vendor and the floor, have in common. */

import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Idle connections live longer than any pause in a run, so that no pool meets a closing one. */
const KEEP_ALIVE_MS = 120_000;

/** Listens on 127.0.0.1 (port 0: a free one) and tells the port to the parent, or prints it. */
export function serve(listener: RequestListener, port = 0): void {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener);
  server.listen(port, '127.0.0.1', () => {
    const ready = { port: (server.address() as AddressInfo).port };
    if (process.send) process.send(ready);
    else console.log(JSON.stringify(ready));
  });
  // However the parent ends, this process does not outlive it.
  process.once('disconnect', () => process.exit());
}

export function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(Buffer.concat(chunks).toString()));
    request.once('error', reject);
  });
}
