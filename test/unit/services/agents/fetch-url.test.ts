import { createServer, type RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isIn, isPublic, networks } from '../../../../src/lib/address.ts';
import { fetchUrl } from '../../../../src/services/agents/tools/fetch-url.ts';
import { toolContext } from '../../../helpers/agents.ts';

async function site(listener: RequestListener, host = '127.0.0.1', at = 0) {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url ?? '');
    listener(req, res);
  });
  await new Promise<void>((resolve) => server.listen(at, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return { port: address.port, asked };
}

const page: RequestListener = (_req, res) => {
  res.setHeader('content-type', 'text/html; charset=utf-8').end('<title>T</title><p>Grüße</p>');
};

const get = (url: string, allow: string[], privateNetworks: string[] = [], signal?: AbortSignal) =>
  fetchUrl({ allow, privateNetworks }).run({ url }, toolContext(signal ? { signal } : {}));

describe('fetch_url', () => {
  test('is off unless the operator says otherwise', async () => {
    expect(fetchUrl(null).available).toBe(false);
    await expect(fetchUrl(null).run({ url: 'https://example.com' }, toolContext())).rejects.toThrow(
      'switched off',
    );
  });

  test('gives the text of a page whose host and network are allowed', async () => {
    const { port } = await site(page);
    const text = await get(`http://127.0.0.1:${port}/a`, [`127.0.0.1:${port}`], ['127.0.0.0/8']);
    expect(text).toBe(`http://127.0.0.1:${port}/a\n\nT\nGrüße`);
  });

  test('connects to no address that is not public, allowed host or not, and sends nothing', async () => {
    const { port, asked } = await site(page);
    const connected = await site(page, '::1').catch(() => null);
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `http://127.1:${port}/`,
      `http://2130706433:${port}/`,
      `http://0x7f000001:${port}/`,
      `http://0177.0.0.1:${port}/`,
      `http://0.0.0.0:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://[::ffff:7f00:1]:${port}/`,
      ...(connected ? [`http://[::1]:${connected.port}/`] : []),
    ]) {
      await expect(get(url, ['*', `*:${port}`, `*:${connected?.port}`]), url).rejects.toThrow('not public');
    }
    expect([...asked, ...(connected?.asked ?? [])]).toEqual([]);
  });

  test('allows no more of the private networks than it is told', async () => {
    const { port, asked } = await site(page);
    await expect(get(`http://127.0.0.1:${port}/`, [`*:${port}`], ['10.0.0.0/8'])).rejects.toThrow(
      'not public',
    );
    expect(asked).toEqual([]);
  });

  test('follows redirects only to where it may go', async () => {
    const secret = await site(page);
    const { port, asked } = await site((req, res) => {
      const to = new URL(req.url ?? '', 'http://x').searchParams.get('to');
      if (to) res.writeHead(302, { location: to }).end();
      else page(req, res);
    });
    const allow = [`127.0.0.1:${port}`, 'example.com'];
    const from = (to: string) =>
      get(`http://127.0.0.1:${port}/?to=${encodeURIComponent(to)}`, allow, ['127.0.0.1']);
    expect(await from('/other')).toContain('Grüße');
    await expect(from(`http://127.0.0.1:${secret.port}/`)).rejects.toThrow('has not allowed the host');
    await expect(from('http://169.254.169.254/latest/meta-data')).rejects.toThrow('has not allowed');
    await expect(from('file:///etc/passwd')).rejects.toThrow('begin with http');
    await expect(from('http://user:pw@example.com/')).rejects.toThrow('user or a password');
    expect(secret.asked).toEqual([]);
    expect(asked).toContain('/other');
  });

  test('gains nothing from a name that has another address for the connection than for the check', async () => {
    const { port, asked } = await site(page);
    const connected = Promise.withResolvers<void>();
    // Public when it is looked at first, of this machine ever after.
    let looks = 0;
    const address = {
      family: 4,
      get address() {
        looks += 1;
        if (looks > 1) connected.resolve();
        return looks === 1 ? '93.184.216.34' : '127.0.0.1';
      },
    };
    const tool = fetchUrl({ allow: [`*:${port}`], privateNetworks: [] }, (_name, _options, answer) =>
      answer(null, [address]),
    );
    const fetching = tool.run({ url: `http://rebinding.test:${port}/` }, toolContext());
    await expect(fetching).rejects.toThrow('"rebinding.test" has an address that is not public');
    await connected.promise;
    expect(asked).toEqual([]);
  });

  test('gains nothing from a name that has another address for the next connection', async () => {
    const { port, asked } = await site((_req, res) => void res.writeHead(302, { location: '/next' }).end());
    const inside = await site(page, '127.0.0.2', port);
    // 127.0.0.1 stands for a public address here, 127.0.0.2 for one of the operator's network.
    const answers = ['127.0.0.1', '127.0.0.2'];
    const names: string[] = [];
    const tool = fetchUrl({ allow: [`*:${port}`], privateNetworks: ['127.0.0.1'] }, (name, _, answer) => {
      names.push(name);
      answer(null, [{ address: answers.shift() ?? '', family: 4 }]);
    });
    const fetching = tool.run({ url: `http://rebinding.test:${port}/first` }, toolContext());
    await expect(fetching).rejects.toThrow('"rebinding.test" has an address that is not public');
    expect([asked, inside.asked, names]).toEqual([['/first'], [], ['rebinding.test', 'rebinding.test']]);
  });

  test('refuses a name of which one address is not public', async () => {
    const { port, asked } = await site(page);
    const both = ['93.184.216.34', '127.0.0.1'].map((address) => ({ address, family: 4 }));
    const tool = fetchUrl({ allow: [`*:${port}`], privateNetworks: [] }, (_name, _options, answer) =>
      answer(null, both),
    );
    const fetching = tool.run({ url: `http://rebinding.test:${port}/` }, toolContext());
    await expect(fetching).rejects.toThrow('not public');
    expect(asked).toEqual([]);
  });

  test('does not go round in circles', async () => {
    const { port, asked } = await site((_req, res) => void res.writeHead(302, { location: '/again' }).end());
    await expect(get(`http://127.0.0.1:${port}/`, [`*:${port}`], ['127.0.0.1'])).rejects.toThrow(
      'redirects more',
    );
    expect(asked.length).toBe(6);
  });

  test.each([
    ['ftp://example.com/', 'begin with http'],
    ['javascript:alert(1)', 'begin with http'],
    ['//example.com', 'begin with http'],
    ['https://other.test/', 'has not allowed the host "other.test"'],
    ['https://example.com.evil.test/', 'has not allowed'],
    ['https://notexample.com/', 'has not allowed'],
    ['https://example.com:8443/', 'with port 8443'],
  ])('refuses %s', async (url, why) => {
    await expect(get(url, ['example.com', '*.example.com'])).rejects.toThrow(why);
  });

  test('reads no more than a MiB, and no pictures', async () => {
    const { port } = await site((req, res) => {
      if (req.url === '/png') return void res.setHeader('content-type', 'image/png').end('x');
      if (req.url === '/gzip') return void res.setHeader('content-encoding', 'gzip').end('x');
      if (req.url === '/404') return void res.writeHead(404).end('x');
      res.setHeader('content-type', 'text/plain');
      for (let n = 0; n < 40; n += 1) res.write('x'.repeat(100_000));
      res.end();
    });
    const at = (path: string) => get(`http://127.0.0.1:${port}${path}`, [`*:${port}`], ['127.0.0.1']);
    const text = String(await at('/'));
    expect(text).toContain('(the first MiB of it)');
    expect(text.length).toBeLessThan(1_100_000);
    await expect(at('/png')).rejects.toThrow('no text but "image/png"');
    await expect(at('/gzip')).rejects.toThrow('compressed');
    await expect(at('/404')).rejects.toThrow('status 404');
  });

  test('stops with the run', async () => {
    const controller = new AbortController();
    const { port } = await site(() => controller.abort(new Error('gone')));
    await expect(
      get(`http://127.0.0.1:${port}/`, [`*:${port}`], ['127.0.0.1'], controller.signal),
    ).rejects.toThrow('gone');
  });
});

describe('an address', () => {
  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => {
      expect(isPublic(address)).toBe(true);
    },
  );

  test.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::a00:1',
    '2001::1',
    '2001:db8::1',
    '2002:a00:1::1',
    'localhost',
    '',
  ])('%s is not', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  test('is found in networks of both families', () => {
    const list = networks(['10.0.0.0/8', '::1', 'fd00::/8']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', '::1', 'fd12::1'].every((address) => isIn(list, address))).toBe(
      true,
    );
    expect(['11.0.0.1', '::2', 'fe80::1', 'x'].some((address) => isIn(list, address))).toBe(false);
    expect(() => networks(['example.com'])).toThrow('is no network');
    expect(() => networks(['10.0.0.0/99'])).toThrow();
  });
});
