/**
 * Runs a Postman collection in Bruno: imported by Bruno's own converter, written as its folder of files, run by its command line,
 * which has no import of its own. Fails for every request that fails, but those that Bruno cannot send, and for one of those that
 * passes, so that the list stays true.
 *
 *   node bruno.cjs collection.json http://127.0.0.1:8080 key password
 */
const { spawnSync } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { postmanToBruno } = require('@usebruno/converters');
const { createCollectionFromBrunoObject } = require('@usebruno/cli/src/utils/collection.js');

const noFileNames = 'Bruno sends a file by its path only: a text has no name of a file there.';
/** The requests that fail in Bruno and nowhere else, by method and path. */
const known = {
  'POST /v1/files': noFileNames,
  'POST /v1/batches': 'It names the file that the request above would have sent.',
  'POST /v1/images/edits': noFileNames,
  'POST /v1/audio/transcriptions': noFileNames,
  'POST /v1/audio/translations': noFileNames,
  'GET /api/factory/postman': 'Its sandbox for scripts (QuickJS) breaks off at an answer of 700 KB.',
};

const [file, baseUrl, apiKey, adminPassword] = process.argv.slice(2);

async function run(folder) {
  const { collection, issues } = await postmanToBruno(JSON.parse(readFileSync(file, 'utf8')));
  if (issues?.length > 0) throw new Error(`Bruno's converter: ${JSON.stringify(issues, null, 2)}`);
  await createCollectionFromBrunoObject(collection, folder, { format: 'bru' });
  const report = path.join(folder, 'report.json');
  const values = Object.entries({ baseUrl, apiKey, adminPassword }).flatMap(([name, value]) => [
    '--env-var',
    `${name}=${value}`,
  ]);
  const bru = path.join(__dirname, 'node_modules/.bin/bru');
  const { stdout } = spawnSync(bru, ['run', '-r', ...values, '--reporter-json', report], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  console.log(stdout.split('\n').slice(-14).join('\n'));
  return JSON.parse(readFileSync(report, 'utf8'))[0].results;
}

/** What went wrong in a request, if anything. */
function failureOf({ error, postResponseTestResults = [] }) {
  const failed = postResponseTestResults.filter(({ status }) => status !== 'pass');
  return [error, ...failed.map((test) => `${test.description}: ${test.error}`)].filter(Boolean).join('; ');
}

async function check() {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-bruno-'));
  try {
    const results = await run(folder);
    const failures = new Map();
    for (const result of results) {
      const place = `${result.request.method} ${new URL(result.request.url).pathname}`;
      const failure = failureOf(result);
      if (failure) failures.set(place, failure);
    }
    const others = [...failures].filter(([place]) => !(place in known));
    for (const [place, failure] of others) console.error(`${place}: ${failure.slice(0, 600)}`);
    const mended = Object.keys(known).filter((place) => !failures.has(place));
    for (const place of mended)
      console.error(`${place} passes: take it from the list of what Bruno cannot send.`);
    console.log(
      `Bruno sent ${results.length} requests, ${failures.size} failed, all but ${others.length} as known.`,
    );
    if (results.length < 150 || others.length > 0 || mended.length > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

check().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
