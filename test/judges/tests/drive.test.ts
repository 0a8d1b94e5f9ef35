import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drive } from '../drive.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'switchyard-judge-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const target = {
  name: 'native',
  lane: 'native',
  base: 'http://127.0.0.1:9',
  key: 'k',
  close: async () => [],
} as const;

async function run(script: string, seconds = 30) {
  const file = path.join(folder, 'run');
  writeFileSync(file, `#!/usr/bin/env bash\n${script}\n`);
  chmodSync(file, 0o755);
  const judge = {
    name: 'one',
    folder,
    title: 'One',
    install: [],
    packages: [],
    quick: true,
    sandbox: false,
    seconds,
  };
  const results = await drive(judge, target, path.join(folder, 'work'));
  return results.map(({ case: name, group, ok, must, detail }) => ({ case: name, group, ok, must, detail }));
}

test('each line is a case; what else it says is kept in its scratch folder', async () => {
  const results = await run(`
    echo '{"case": "text", "ok": true}'
    echo '{"case": "create", "group": "chat", "ok": false, "detail": "req_01M81G8VX6HATE25WXHZ278BWY at 127.0.0.1:40553"}'
    echo "$TARGET $BASE $KEY $HOME" >&2`);
  expect(results).toEqual([
    { case: 'text', group: null, ok: true, must: false, detail: null },
    { case: 'create', group: 'chat', ok: false, must: false, detail: 'req_… at HOST' },
  ]);
  const work = path.join(folder, 'work');
  expect(readFileSync(path.join(work, 'judge.log'), 'utf8')).toBe(`native http://127.0.0.1:9 k ${work}\n`);
});

test('a judge that reports nothing, says something else or ends with an error has failed, with the control or not', async () => {
  expect(await run('true')).toMatchObject([{ case: 'setup', ok: false, must: true }]);
  expect(await run('echo done')).toMatchObject([{ case: 'output', ok: false, detail: 'is no case: done' }]);
  expect(await run(`echo '{"case": "text", "ok": true}'; exit 3`)).toMatchObject([
    { case: 'text', ok: true },
    { case: 'end', ok: false, must: true },
  ]);
});

test('a judge that takes too long is ended with all that it started, and keeps the cases that it reported', async () => {
  const results = await run(
    `
    echo '{"case": "text", "ok": true}'
    sleep 600 &
    wait`,
    1,
  );
  expect(results).toMatchObject([
    { case: 'text', ok: true },
    { case: 'time', ok: false, detail: 'was ended after 1 s' },
  ]);
});
