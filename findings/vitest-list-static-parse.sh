#!/usr/bin/env bash
# Vitest: `vitest list` says something else than `vitest run` runs. It reads files without running them, and takes for a test every
# call of a function whose name begins with `test`, whoever wrote that function. So it lists the inner `it(name, …)` of a helper as a
# test called "name", lists what a helper `testEvery(…)` registers, does not list what the same helper called `every(…)` registers, and
# counts `it.each` once. With `--no-static-parse` it lists what runs.
#
# Seen with Vitest 5.1.1 on Node.js 26.12.1, 2026-11-27. Whoever counts cases with it counts others than those that are reported.
# Expected output: four titles, then five.
set -euo pipefail
export LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "type": "module", "private": true }' >package.json
npm install --silent --no-save --no-audit --no-fund vitest@5.1.1
cat >wrapped.test.js <<'EOF'
import { expect, it } from 'vitest';
const every = (name, things) => it(name, () => { for (const thing of things) expect(thing).toBeGreaterThan(0); });
every('each is above nothing', [1, 2, 3]);
EOF
sed 's/every(/testEvery(/; s/const every/const testEvery/' wrapped.test.js >prefixed.test.js
cat >rows.test.js <<'EOF'
import { expect, it } from 'vitest';
it.each([1, 2, 3])('%i is above nothing', (n) => expect(n).toBeGreaterThan(0));
EOF
fail() { echo "CHANGED: $1" && exit 1; }
npx vitest --version
npx vitest list | sort | tee static
npx vitest list --no-static-parse | sort | tee run
diff static - <<'EOF' || fail 'it lists other tests without running the files'
prefixed.test.js > each is above nothing
prefixed.test.js > name
rows.test.js > %i is above nothing
wrapped.test.js > name
EOF
diff run - <<'EOF' || fail 'it lists other tests when it runs the files'
prefixed.test.js > each is above nothing
rows.test.js > 1 is above nothing
rows.test.js > 2 is above nothing
rows.test.js > 3 is above nothing
wrapped.test.js > each is above nothing
EOF
