import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetAddress, importedBy } from '../../src/pages/asset-files.ts';
import { startApp, type TestApp } from '../helpers/app.ts';

describe('files of pages', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const get = (path: string) => fetch(app.url + path);

  it('may be kept for good under their version, and shortly under another or none', async () => {
    const address = assetAddress('demo.js');
    const kept = await get(address);
    expect(kept.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const text = await kept.text();
    for (const other of ['/assets/demo.js', '/assets/of-another-server/demo.js']) {
      const answer = await get(other);
      expect(answer.headers.get('cache-control'), other).toBe('public, max-age=300');
      expect(await answer.text()).toBe(text);
    }
  });

  it('are scripts, styles and pictures, and nothing else of the folder', async () => {
    for (const path of ['/assets/nothing.js', '/assets/tsconfig.json', '/assets/x/..%2Fpages.ts']) {
      expect((await get(path)).status, path).toBe(404);
    }
    expect(() => assetAddress('tsconfig.json')).toThrow('there is no asset');
  });

  it('are all asked for by the page that needs them', async () => {
    const page = await (await get('/')).text();
    const modules = importedBy('demo.js');
    expect(modules).toContain('tree.js');
    for (const name of modules)
      expect(page).toContain(`<link rel="modulepreload" href="${assetAddress(name)}">`);
  });
});
