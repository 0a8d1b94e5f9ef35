import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { buildApp } from '../../../src/factory/build-app.ts';

describe('a package', () => {
  test('holds the page, its sources, a README and a manifest that is true', async () => {
    const { package: packed, html } = await buildApp('a tracker for my records called "Side B"');
    const contents = unzipSync(packed.zip);
    expect(Object.keys(contents)).toEqual(
      expect.arrayContaining([
        'README.md',
        'index.html',
        'manifest.json',
        'src/index.html',
        'src/tracker/main.js',
      ]),
    );
    expect(strFromU8(contents['index.html'] ?? new Uint8Array())).toBe(html);
    const manifest = JSON.parse(strFromU8(contents['manifest.json'] ?? new Uint8Array()));
    expect(manifest).toMatchObject({ schema: 1, name: 'Side B', kind: 'tracker' });
    for (const { path, bytes } of manifest.files) expect(contents[path]).toHaveLength(bytes);
    expect(strFromU8(contents['src/index.html'] ?? new Uint8Array())).toContain('src="tracker/main.js"');
  });

  test('is the same to the byte each time, in every time zone', async () => {
    const before = process.env['TZ'];
    const hashes = [];
    for (const zone of ['UTC', 'Asia/Tokyo', 'America/Caracas']) {
      process.env['TZ'] = zone;
      hashes.push((await buildApp('kanban board')).package.sha256);
    }
    process.env['TZ'] = before ?? 'UTC';
    expect(new Set(hashes).size).toBe(1);
  });

  test('is small', async () => {
    const { package: packed } = await buildApp('expense tracker');
    expect(packed.zip.length).toBeLessThan(200_000);
  });
});
