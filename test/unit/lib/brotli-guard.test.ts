/** Nothing that the server asks by `fetch` has its answer decoded where it is in Brotli: real answers, which are harmless. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import zlib, { brotliCompressSync, gzipSync } from 'node:zlib';
import { SignJWT } from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  anthropicClient,
  geminiClient,
  openAiClient,
} from '../../../src/gateway/routing/discovery/sdk-clients.ts';
import { brotliIsSafe, nodeFault, refuseBrotliAnswers } from '../../../src/lib/brotli-guard.ts';
import { mcpSource } from '../../../src/services/agents/tools/mcp.ts';
import { Issuer } from '../../../src/tenants/accounts/oidc/issuer.ts';
import { discoveredJwksUrl, JwtCredentials } from '../../../src/tenants/accounts/oidc/jwt-credentials.ts';
import { providerOf } from '../../helpers/vendor-gateway.ts';

describe('brotli guard', () => {
  const plain = JSON.stringify({ harmless: true, padding: 'x'.repeat(2000) });

  async function serverOf(answer: (req: IncomingMessage, res: ServerResponse) => void) {
    const asked: IncomingMessage['headers'][] = [];
    const server = createServer((req, res) => {
      asked.push(req.headers);
      req.resume();
      answer(req, res);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }

  const inBrotli = (encoding: string | readonly string[] = 'br', status = 200) =>
    serverOf((_req, res) =>
      res
        .writeHead(status, { 'content-type': 'application/json', 'content-encoding': encoding as string })
        .end(brotliCompressSync(plain)),
    );

  /** Counts the decoders of Brotli that are made, by whomever: undici takes each from here. */
  function watchDecoders() {
    const made = vi.spyOn(zlib, 'createBrotliDecompress');
    onTestFinished(() => made.mockRestore());
    return made;
  }

  const guard = () => onTestFinished(refuseBrotliAnswers());
  const reasonOf = (request: Promise<unknown>) =>
    request.then(
      () => 'answered',
      (error: Error) => String((error.cause as Error | undefined)?.message ?? error.message),
    );
  const refused = expect.stringContaining('answered in Brotli');

  it('without it, fetch decodes what it is given, whatever it asked for', async () => {
    const { url } = await inBrotli();
    const decoders = watchDecoders();
    const reply = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(await reply.text()).toBe(plain);
    expect(decoders).toHaveBeenCalledOnce();
  });

  it('fetch asks for gzip alone, and reads what is in gzip, or as it is', async () => {
    guard();
    const packed = await serverOf((_req, res) =>
      res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(plain)),
    );
    const open = await serverOf((req, res) => req.pipe(res));
    expect(await (await fetch(packed.url, { headers: { 'Accept-Encoding': 'br' } })).text()).toBe(plain);
    expect(packed.asked).toMatchObject([{ 'accept-encoding': 'gzip' }]);
    const form = new FormData();
    form.set('file', new Blob(['bytes']), 'a.txt');
    expect(await (await fetch(open.url, { method: 'POST', body: form })).text()).toContain('bytes');
  });

  it.each([
    ['br', 200],
    ['BR', 200],
    ['gzip, br', 200],
    ['br , gzip', 200],
    [['gzip', 'br'], 200],
    ['br', 404],
    ['br', 302],
  ] as const)('an answer in %j with status %i is refused before it is decoded', async (encoding, status) => {
    guard();
    const { url, asked } = await inBrotli(encoding, status);
    const decoders = watchDecoders();
    expect(await reasonOf(fetch(url, { redirect: 'manual' }))).toEqual(refused);
    expect(decoders).not.toHaveBeenCalled();
    expect(asked).toMatchObject([{ 'accept-encoding': 'gzip' }]);
  });

  it('others go on, also over the connection of the same server', async () => {
    guard();
    const { url } = await serverOf((req, res) => {
      if (req.url === '/br') res.setHeader('content-encoding', 'br').end(brotliCompressSync(plain));
      else res.end(plain);
    });
    for (let round = 0; round < 3; round += 1) {
      expect(await reasonOf(fetch(`${url}/br`))).toEqual(refused);
      expect(await (await fetch(`${url}/plain`)).text()).toBe(plain);
    }
  });

  const timeoutMs = 5_000;
  const settings = { id: 'corp', audience: 'a', tenant: 't', tenantClaim: '', scopes: [], scopesClaim: null };
  const askers: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
    'a server of MCP': async (url) => {
      const errors: unknown[] = [];
      const source = mcpSource({ id: 'remote', url, headers: {}, tools: null, timeoutMs }, (error) =>
        errors.push(error),
      );
      await source.refresh();
      await source.close();
      throw errors[0];
    },
    "OpenAI's client": async (url) =>
      (await openAiClient(providerOf('openai', url), timeoutMs)).models.list(),
    "Anthropic's client": async (url) =>
      (await anthropicClient(providerOf('anthropic', url), timeoutMs)).models.list(),
    "Google's client": async (url) =>
      (await geminiClient(providerOf('gemini', `${url}/v1beta`), timeoutMs)).models.list(),
    'the discovery of keys': (url) => discoveredJwksUrl(url, timeoutMs),
    'the discovery of an issuer': (url) => {
      const issuer = { id: 'corp', name: 'Corp', issuer: url, clientId: 'c', clientSecret: null };
      const secrets = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
      return new Issuer({ ...issuer, scopes: [], rules: [] }, () => undefined).authorizationUrl(url, secrets);
    },
    'the keys of an issuer': async (url) => {
      const credentials = new JwtCredentials({
        issuers: [{ ...settings, issuer: url, jwksUrl: `${url}/keys` }],
        clock: { now: Date.now },
        callerOf: async () => null,
        pseudonym: (text) => text,
      });
      const token = new SignJWT({ sub: 's' }).setIssuer(url).setAudience('a').setExpirationTime('1h');
      const signed = await token
        .setProtectedHeader({ alg: 'ES256' })
        .sign(
          (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']))
            .privateKey,
        );
      return credentials.verify(signed);
    },
  };

  it.each(Object.entries(askers))('%s asks for gzip alone and has no Brotli decoded', async (_name, ask) => {
    guard();
    const { url, asked } = await inBrotli();
    const decoders = watchDecoders();
    expect(await reasonOf(ask(url))).not.toBe('answered');
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked.map((headers) => headers['accept-encoding']))).toEqual(new Set(['gzip']));
    expect(decoders).not.toHaveBeenCalled();
  });
});

describe('node faults', () => {
  it.each([
    ['20.20.9', false],
    ['22.23.3', false],
    ['22.23.4', true],
    ['22.24.0', true],
    ['23.11.1', false],
    ['24.9.9', false],
    ['24.21.0', false],
    ['24.22.0', false],
    ['24.22.1', true],
    ['24.100.0', true],
    ['25.9.0', false],
    ['26.9.2', false],
    ['26.10.0', false],
    ['26.12.0', false],
    ['26.12.1-nightly20261015', false],
    ['26.12.1', true],
    ['v26.12.2-rc.1', true],
    ['26.13.0', true],
    ['27.0.0', true],
    ['100.0.0', true],
    ['', false],
    ['of tomorrow', false],
  ])('of Node.js %j Brotli is safe: %s', (version, safe) => {
    expect(brotliIsSafe(version)).toBe(safe);
    expect(nodeFault(version) === null).toBe(safe);
  });

  it('says which version has which fault, and what to run', () => {
    const { message = '', advice = '' } = nodeFault('26.10.0') ?? {};
    expect(message).toContain('Node.js 26.10.0 is vulnerable to CVE-2026-111497');
    expect(advice).toContain('26.12.1');
  });
});
