import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands between a browser and the application, as a proxy would, and can fail as one. */
export interface Front {
  readonly url: string;
  /** Method and path of what was asked for. */
  readonly asked: string[];
  /** The address that requests come from; the application must trust one proxy. */
  client: string;
  /** Answers in place of the application; false leaves a request to it. */
  answer: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** Of the next stream of events so many are passed on, and then nothing more; null: all of them. */
  holdAfter: number | null;
  /** Breaks the connections of the streams that are held. */
  breakHeld(): void;
  close(): Promise<void>;
}

export async function openFront(appUrl: string): Promise<Front> {
  const { hostname, port } = new URL(appUrl);
  const held = new Set<ServerResponse>();
  const server = createServer((req, res) => {
    front.asked.push(`${req.method} ${req.url}`);
    if (front.answer(req, res)) return;
    const { method, url: path } = req;
    const headers = { ...req.headers, 'x-forwarded-for': front.client };
    const passed = request({ hostname, port, method, path, headers }, (reply) => {
      res.writeHead(reply.statusCode ?? 502, reply.headers);
      if (front.holdAfter === null || !isStream(reply)) {
        reply.pipe(res);
        return;
      }
      held.add(res);
      passEvents(reply, res, front.holdAfter);
      front.holdAfter = null;
    });
    passed.on('error', () => res.destroy());
    res.on('close', () => passed.destroy());
    req.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    client: '192.0.2.1',
    answer: () => false,
    holdAfter: null,
    breakHeld() {
      for (const res of held) res.destroy();
      held.clear();
    },
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

function passEvents(reply: IncomingMessage, res: ServerResponse, max: number): void {
  let rest = '';
  let left = max;
  res.flushHeaders();
  reply.setEncoding('utf8');
  reply.on('data', (text: string) => {
    const events = (rest + text).split(/(?<=\n\n)/);
    rest = events.at(-1)?.endsWith('\n\n') ? '' : (events.pop() ?? '');
    res.write(events.slice(0, left).join(''));
    left = Math.max(left - events.length, 0);
  });
}
