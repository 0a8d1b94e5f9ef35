/**
 * Passes each request on to the port of this machine that its header `x-switch-to` names. A proxy has one server behind it, the
 * end-to-end tests have one each: this stands between the two.
 *
 *   node test/conformance/switch.ts PORT
 */
import { createServer, request } from 'node:http';
import { pipeline } from 'node:stream';

const server = createServer((req, res) => {
  const { 'x-switch-to': port, ...headers } = req.headers;
  if (typeof port !== 'string') {
    res.writeHead(502).end();
    return;
  }
  const { method, url: path } = req;
  const onward = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (reply) => {
    res.writeHead(reply.statusCode ?? 502, reply.headers);
    pipeline(reply, res, () => undefined);
  });
  onward.on('error', () => res.destroy());
  res.on('close', () => onward.destroy());
  req.pipe(onward);
});
// Prism keeps its connections, and must not find one closed that it is about to use.
server.keepAliveTimeout = 0;
server.listen(Number(process.argv[2]), '127.0.0.1');
