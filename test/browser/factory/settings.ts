import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import type { BuiltApp } from '../../../src/factory/build-app.ts';

/** The ways in which people open a build. */
export type Setting = 'preview' | 'origin' | 'file';

/** The policy under which previews are served: sandboxed, no network, no origin. */
export const previewPolicy =
  "sandbox allow-scripts allow-forms allow-modals allow-downloads; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

export interface BuiltAppServer {
  address(app: BuiltApp, setting: Setting): string;
  /** Requests for anything but the pages themselves; there must be none. */
  readonly strays: string[];
  close(): Promise<void>;
}

/** Serves builds under the preview's policy and plainly, and unpacks archives into a folder. */
export async function serveBuiltApps(): Promise<BuiltAppServer> {
  const pages = new Map<string, string>();
  const strays: string[] = [];
  const folder = mkdtempSync(path.join(tmpdir(), 'builds-'));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const html = pages.get(pathname);
    if (html === undefined) strays.push(pathname);
    const policy = pathname.startsWith('/preview/')
      ? { 'content-security-policy': previewPolicy, 'referrer-policy': 'no-referrer' }
      : {};
    response.writeHead(html === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      ...policy,
    });
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let count = 0;
  return {
    strays,
    address(app, setting) {
      count++;
      if (setting === 'file') {
        const file = path.join(folder, `${count}.html`);
        writeFileSync(file, strFromU8(unzipSync(app.package.zip)['index.html'] ?? new Uint8Array()));
        return `file://${file}`;
      }
      const pathname = `/${setting}/${count}/`;
      pages.set(pathname, app.html);
      return `http://127.0.0.1:${port}${pathname}`;
    },
    async close() {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}
