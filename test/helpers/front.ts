import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands between a browser and the application, as a proxy would, and can fail as one. */
export interface Front {
  readonly url: string;
  /** Method and path of what was asked for. */
  readonly asked: readonly string[];
  /** Answers in place of the application; false leaves a request to it. */
  answer: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** What happens to the next stream of events after so many of them: nothing more comes, or the connection breaks. */
  nextStream: { readonly after: number; readonly then: 'hold' | 'break' } | null;
  close(): Promise<void>;
}

export async function openFront(appUrl: string): Promise<Front> {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    if (front.answer(req, res)) return;
    const { hostname, port } = new URL(appUrl);
    const { method, url: path, headers } = req;
    const passed = request({ hostname, port, method, path, headers }, (reply) => {
      res.writeHead(reply.statusCode ?? 502, reply.headers);
      const disturbance = isStream(reply) ? front.nextStream : null;
      if (disturbance === null) {
        reply.pipe(res);
        return;
      }
      front.nextStream = null;
      passEvents(reply, res, disturbance);
    });
    passed.on('error', () => res.destroy());
    res.on('close', () => passed.destroy());
    req.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: () => false,
    nextStream: null,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return front;
}

function isStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') ?? false;
}

function passEvents(
  reply: IncomingMessage,
  res: ServerResponse,
  { after, then }: NonNullable<Front['nextStream']>,
): void {
  let rest = '';
  let passed = 0;
  res.flushHeaders();
  reply.setEncoding('utf8');
  reply.on('data', (text: string) => {
    const events = (rest + text).split(/(?<=\n\n)/);
    rest = events.at(-1)?.endsWith('\n\n') ? '' : (events.pop() ?? '');
    for (const event of events.slice(0, after - passed)) res.write(event);
    passed += events.length;
    if (passed >= after && then === 'break') res.destroy();
  });
  reply.on('end', () => {
    if (passed < after) res.end();
  });
}
