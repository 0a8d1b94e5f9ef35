/** Drives a coding agent without a person. What counts is the file that it writes, and not what it says or its status. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beyondMock, given } from './judge.js';

/**
 * What gives an agent a task, in a folder of its own. It returns what reads the files that the agent left there.
 * @param {string} name as in `fixtures.yaml`
 * @param {(prompt: string, home: string) => { command: string[], env: Record<string, string> }} start
 */
export const asking =
  (name, start) =>
  async (what, before = {}) => {
    const folder = mkdtempSync(join(given('WORK'), `${what.replaceAll(' ', '-')}-`));
    const home = join(folder, 'home');
    const project = join(folder, 'project');
    for (const path of [home, project]) mkdirSync(path);
    for (const [file, text] of Object.entries(before)) writeFileSync(join(project, file), text);
    const said = await run(start(`Judge of ${name}: ${what}.`, home), home, project);
    return (file) => {
      try {
        return readFileSync(join(project, file), 'utf8').trim();
      } catch {
        throw new Error(`there is no ${file}; ${said}`);
      }
    };
  };

/** The cases of every agent. @param {string} name @param {ReturnType<typeof asking>} ask */
export function casesOf(name, ask) {
  return {
    'writes a file': async () => {
      const read = await ask('write one file');
      assert.equal(read('hello.txt'), `hello from ${name}`);
    },
    'writes two files at once': async () => {
      const read = await ask('write two files');
      assert.equal(read('first.txt'), `first of ${name}`);
      assert.equal(read('second.txt'), `second of ${name}`);
    },
    'reads a file, then writes': async () => {
      const read = await ask('copy a file', { 'source.txt': `the source of ${name}` });
      assert.equal(read('copy.txt'), `copied by ${name}`);
    },
    // The mock ends without an error, which Gemini CLI gives up at.
    'gets over a cut stream': beyondMock(async () => {
      const read = await ask('get over a cut');
      assert.equal(read('again.txt'), `once more from ${name}`);
    }),
  };
}

/** Runs it to its end and returns the last of what it said. */
async function run({ command: [program, ...args], env }, home, cwd) {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', NO_PROXY: '127.0.0.1,localhost', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 90_000,
    killSignal: 'SIGKILL',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      process.stderr.write(text);
      said = (said + text).slice(-2000);
    });
  const [code, signal] = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (...end) => resolve(end));
  });
  return `ended with ${code ?? signal}: ${said.trim().split('\n').at(-1)?.slice(-250) ?? ''}`;
}
