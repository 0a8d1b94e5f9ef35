import { createSocket, type Socket } from 'node:dgram';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net';

/** A foreign server that writes down by what ways it was reached. */
export interface Stranger {
  /** Its address for a way: a request for it, whatever is behind the name, counts as reached. */
  url(way: string): string;
  /** A port of its own for a way, where any packet and any connection counts as reached. */
  port(way: string): number;
  readonly reached: Set<string>;
  close(): Promise<void>;
}

/** @param ways those that need a port of their own */
export async function openStranger(ways: readonly string[]): Promise<Stranger> {
  const reached = new Set<string>();
  const http = createHttp((request, response) => {
    reached.add(request.url?.split(/[/?]/)[1] ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/html' });
    response.end('hello');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const ports = new Map<string, { udp: Socket; tcp: Server }>();
  for (const way of ways) {
    const tcp = createTcp((socket) => {
      reached.add(way);
      socket.on('error', () => undefined);
      socket.destroy();
    });
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const udp = createSocket('udp4').on('message', () => reached.add(way));
    await new Promise<void>((resolve) => udp.bind((tcp.address() as AddressInfo).port, '127.0.0.1', resolve));
    ports.set(way, { udp, tcp });
  }
  const { port } = http.address() as AddressInfo;
  return {
    url: (way) => `http://127.0.0.1:${port}/${way}`,
    port(way) {
      const found = ports.get(way);
      if (!found) throw new Error(`there is no port for ${way}`);
      return found.udp.address().port;
    },
    reached,
    async close() {
      http.closeAllConnections();
      http.close();
      for (const { udp, tcp } of ports.values()) {
        udp.close();
        tcp.close();
      }
    },
  };
}
