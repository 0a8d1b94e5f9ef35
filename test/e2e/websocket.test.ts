import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { appForThisTest } from '../helpers/app.ts';

it('refuses a WebSocket at once with 426, where nothing else stands', async () => {
  const { port } = await appForThisTest();
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'GET /v1/responses HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  const reply = await text(socket);
  expect(reply).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/);
  expect(reply).toContain('"code":"websocket_unsupported"');
});
