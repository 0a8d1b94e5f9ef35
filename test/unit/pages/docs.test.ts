import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { docsPage, guidePages } from '../../../src/pages/docs.ts';

describe('docs', () => {
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
});

describe('guides', () => {
  it('the guides are read again after they could not be', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'switchyard-guides-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = path.join(directory, 'guides.json');
    const [list] = guidePages('http://127.0.0.1:8080', file);
    const render = async () => list?.render({ params: {} } as never);
    await writeFile(file, '{');
    await expect(render()).rejects.toThrow(SyntaxError);
    const start = { title: 'Guides', html: '<p>All of them.</p>' };
    await writeFile(file, JSON.stringify({ groups: [], start, guides: [] }));
    expect(String((await render())?.body)).toContain('All of them.');
  });
});
