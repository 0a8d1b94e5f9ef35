import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { docsPage } from '../../../src/pages/docs.ts';

it('the documentation is read again after it could not be', async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'switchyard-docs-')), 'docs.html');
  onTestFinished(() => rm(path.dirname(file), { recursive: true }));
  const { render } = docsPage('http://127.0.0.1:8080', file);
  await mkdir(file);
  await expect(render({} as never)).rejects.toMatchObject({ code: 'EISDIR' });
  await rm(file, { recursive: true });
  await writeFile(file, 'All of it.');
  expect(String((await render({} as never)).body)).toBe('All of it.');
});
