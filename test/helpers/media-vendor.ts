import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request to a vendor that takes forms. */
export interface MediaRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Read by another parser than the server's. */
  form(): Promise<FormData>;
}

export interface MediaVendor {
  /** `http://127.0.0.1:port/v1` */
  readonly baseUrl: string;
  readonly requests: readonly MediaRequest[];
}

export type MediaScript = (request: MediaRequest, response: ServerResponse, index: number) => void;

/** A vendor of pictures and sound, which reads each request to its end first and is stopped when the test is over. */
export async function mediaVendorFor(script: MediaScript): Promise<MediaVendor> {
  const requests: MediaRequest[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { url = '', method = '', headers } = req;
    const request: MediaRequest = {
      method,
      path: url,
      headers,
      body,
      form: () =>
        new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData(),
    };
    requests.push(request);
    script(request, res, requests.length - 1);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

export function replyJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
