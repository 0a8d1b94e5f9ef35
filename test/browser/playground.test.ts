import { execFileSync } from 'node:child_process';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { agentOf, makeMove } from '../helpers/agents.ts';
import { scopelessKey, startApp, type TestApp, testKey } from '../helpers/app.ts';
import { barriers, hasBrowser, launch, shoot, type Watched, watchedPage } from '../helpers/browser.ts';
import { openAiFixture } from '../helpers/vendor-fixtures.ts';
import { providerOf } from '../helpers/vendor-gateway.ts';
import { type ScriptedVendor, startVendor, type VendorScript } from '../lib/vendor.ts';

/** The playground, used as its visitors use it. */

vi.setConfig({ testTimeout: 60_000 });
const patient = { timeout: 20_000 };

/** Everything that a page may keep, and what it shows. */
const keptByPage = `(async () => JSON.stringify([
  location.href, document.cookie, { ...localStorage }, { ...sessionStorage }, history.state, window.name,
  await indexedDB.databases(), await caches.keys(), document.documentElement.outerHTML,
  [...document.querySelectorAll('input, textarea')].map((field) => field.value),
]))()`;

describe.skipIf(!hasBrowser)('the playground in Chromium (skipped where there is none)', () => {
  let browser: Browser;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  const panel = (name: string) => page.getByRole('tabpanel', { name });
  const open = (name: string) => page.getByRole('tab', { name }).click();
  const report = (name: string) => panel(name).getByRole('complementary', { name: 'Last call' });
  const code = (name: string, language: string) => report(name).locator(`[data-code="${language}"] code`);
  /** The call is over. */
  const done = (name: string) => report(name).getByText('Duration').waitFor();

  async function openPage(url: string): Promise<void> {
    watched = await watchedPage(browser);
    page = watched.page;
    page.setDefaultTimeout(patient.timeout);
    await page.goto(`${url}/playground`);
  }

  async function signIn(key: string): Promise<void> {
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('API key').press('Enter');
  }

  /** Everybody can read it, in that colour scheme, and it fits a phone. */
  async function expectToBeReadable(name: string, colorScheme: 'light' | 'dark'): Promise<void> {
    await page.emulateMedia({ colorScheme });
    expect(await barriers(page), name).toEqual([]);
    await shoot(page, `playground-${name}`);
    await page.setViewportSize({ width: 375, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await shoot(page, `playground-${name}-phone`);
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  /** The code that is shown makes the call that the page has made. */
  async function expectSameCall(name: string, act: () => Promise<void>): Promise<void> {
    const [request] = await Promise.all([page.waitForRequest((one) => one.method() === 'POST'), act()]);
    await done(name);
    const call = { url: request.url(), key: 'Bearer k', body: request.postDataJSON() };
    expect((await request.allHeaders())['authorization']).toBe(`Bearer ${testKey}`);
    const curl = (await code(name, 'curl').textContent()) ?? '';
    expect(curl).toContain('"Authorization: Bearer $SWITCHYARD_API_KEY"');
    expect(callOfCurl(curl)).toEqual(call);
    expect(await callOfFetch((await code(name, 'fetch').textContent()) ?? '')).toEqual(call);
    const { method, given, options } = await callOfLibrary((await code(name, 'library').textContent()) ?? '');
    expect(method.startsWith('stream')).toBe(call.url.endsWith('/stream'));
    const { body } = call;
    expect(given).toMatchObject({ body });
    expect(options).toEqual({ apiKey: 'k', baseUrl: new URL(call.url).origin });
  }

  describe('on the sandbox', () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await startApp();
      await openPage(app.url);
    });
    afterAll(async () => {
      await page.close();
      await app.close();
    });

    it('refuses a wrong key, and says what a key lacks', async () => {
      await expectToBeReadable('sign-in', 'light');
      await signIn('no-such-key');
      await page.getByRole('alert').getByText('key').waitFor();
      await signIn('two words');
      await page.getByText('That cannot be a key').waitFor();
      expect(await page.getByRole('tablist').isVisible()).toBe(false);
      await signIn(scopelessKey);
      await panel('Chat').getByText('scope').waitFor();
      expect(await panel('Chat').getByRole('button', { name: 'Send' }).isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.locator('#key:focus').waitFor();
      // The refused key is an error in the console of the browser, and nothing else is.
      expect(watched.problems.splice(0).filter((problem) => !/40[13]/.test(problem))).toEqual([]);
    });

    it('chats over several turns', async () => {
      await signIn(testKey);
      const message = page.getByLabel('Message', { exact: true });
      await page.getByText('Settings', { exact: true }).click();
      await page.getByLabel('System prompt').fill('You are brief.');
      await page.getByLabel('Model', { exact: true }).selectOption('sandbox/echo');
      await message.fill(`Why isn't "the sky" $HOME green?`);
      await expectSameCall('Chat', () => message.press('Enter'));
      const turns = panel('Chat').getByRole('listitem');
      await expect.poll(() => turns.count(), patient).toBe(2);
      await turns.last().getByText(`Why isn't "the sky" $HOME green?`).waitFor();
      expect(await report('Chat').textContent()).toMatch(/Status200.*Request idreq_.*Usage\d+ tokens/);

      await message.fill('And the sea?');
      await page.getByLabel('Temperature').fill('0.2');
      await expectSameCall('Chat', () => page.getByRole('button', { name: 'Send' }).click());
      expect(callOfCurl((await code('Chat', 'curl').textContent()) ?? '').body).toEqual({
        model: 'sandbox/echo',
        temperature: 0.2,
        maxTokens: 2048,
        messages: [
          { role: 'system', content: 'You are brief.' },
          { role: 'user', content: `Why isn't "the sky" $HOME green?` },
          { role: 'assistant', content: `Why isn't "the sky" $HOME green?` },
          { role: 'user', content: 'And the sea?' },
        ],
      });
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.url });
      await report('Chat').getByRole('button', { name: 'Copy' }).first().click();
      await report('Chat').getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        await code('Chat', 'curl').textContent(),
      );
      await expectToBeReadable('chat', 'dark');
    });

    it('runs an agent and shows its steps', async () => {
      await page.getByRole('tab', { name: 'Chat' }).focus();
      await page.keyboard.press('ArrowRight');
      expect(new URL(page.url()).hash).toBe('#agents');
      await page.getByRole('button', { name: 'What is 17 * 23?' }).click();
      await expectSameCall('Agents', () => page.getByRole('button', { name: 'Run' }).click());
      await panel('Agents').getByText('Succeeded').waitFor();
      const steps = panel('Agents').locator('.step');
      expect(await steps.count()).toBe(3);
      expect(await steps.nth(1).textContent()).toMatch(/calculator.*"17 \* 23".*391/s);
      expect(await steps.nth(2).textContent()).toContain('391');
      await expectToBeReadable('agents', 'light');
    });

    it('fills the form of a feature from its example, and checks what is entered', async () => {
      await open('AI features');
      const features = panel('AI features');
      await features.getByLabel('Feature', { exact: true }).selectOption('keywords');
      const call = features.getByRole('button', { name: 'Call', exact: true });
      await call.click();
      await features.getByText('text is needed.').waitFor();
      await features.getByRole('button', { name: 'Two keywords' }).click();
      await features.getByLabel('limit').fill('2.5');
      await call.click();
      await features.getByText('limit must be a whole number.').waitFor();
      await features.getByLabel('limit').fill('2');
      await expectSameCall('AI features', () => call.click());
      const cells = features.getByRole('cell');
      await cells.first().waitFor();
      expect(await cells.allTextContents()).toEqual(['solar panels', '1', 'electricity', '0.56']);
      await features.getByText('Engine local.').waitFor();
      await expectToBeReadable('features', 'light');
    });

    it('says what a feature needs that has no model', async () => {
      const features = panel('AI features');
      await features.getByLabel('Feature', { exact: true }).selectOption('extract');
      await features.getByText('Needs a language model, and this server has none.').waitFor();
      await features.getByRole('button', { name: 'An invoice' }).click();
      await features.getByLabel('schema').fill('{"type": ');
      await features.getByRole('button', { name: 'Call', exact: true }).click();
      await features.getByText('schema is no valid JSON').waitFor();
      await features.getByLabel('schema').fill('{"type": "object"}');
      await features.getByRole('button', { name: 'Call', exact: true }).click();
      await report('AI features').getByText('model_required').waitFor();
      const link = report('AI features').getByRole('link', { name: 'What it means' });
      expect(await link.getAttribute('href')).toBe('/docs#/errors/model_required');
      await expectToBeReadable('model-required', 'dark');
      expect(watched.problems.splice(0).filter((problem) => !problem.includes('400'))).toEqual([]);
    });

    it('keeps the key nowhere but in memory, and asks no other host for anything', async () => {
      const kept = await page.evaluate<string>(keptByPage);
      expect(kept).toContain('Playground');
      expect(kept).not.toContain(testKey);
      expect(watched.requests.filter((url) => !url.startsWith(`${app.url}/`))).toEqual([]);
      expect(watched.requests.filter((url) => url.includes(testKey))).toEqual([]);
      expect(watched.problems).toEqual([]);
      await page.reload();
      await page.getByLabel('API key').waitFor();
      expect(await page.getByRole('tablist').isVisible()).toBe(false);
    });
  });

  describe('before a vendor', () => {
    const hostile =
      '<img src=x onerror="document.title=1"><script>document.title=2</script> [x](javascript:3)';
    let script: VendorScript = () => undefined;
    let vendor: ScriptedVendor;
    let app: TestApp;
    let keyId = '';
    beforeAll(async () => {
      vendor = await startVendor((reply) => script(reply));
      app = await startApp({
        models: { providers: [providerOf('openai', vendor.baseUrl)], maxAttempts: 1, defaultModel: 'gpt-4o' },
        agents: { agents: [agentOf({ model: 'gpt-4o', instructions: 'Help {{company}}.' })] },
      });
      await app.accounts.tenants.create(
        { id: 'acme', plan: 'enterprise', overrides: { requestsPerMinute: 3 } },
        'test',
      );
      const made = await app.accounts.storedKeys.create({ tenantId: 'acme', label: 'test' }, 'test');
      keyId = made.key.id;
      await openPage(app.url);
      await signIn(made.text);
      await page.getByRole('tablist').waitFor();
    });
    afterAll(async () => {
      await page.close();
      await app.close();
      await vendor.close();
    });

    async function expectText(element: Locator): Promise<void> {
      await element.getByText(hostile).first().waitFor();
      expect(await element.locator('img, script, a').count()).toBe(0);
      expect(await page.title()).toBe('Playground · Switchyard');
    }

    it('shows what comes of a stream as text, and stops it at the vendor too', async () => {
      let closed: Promise<void> | undefined;
      script = (reply) => {
        closed = reply.closed;
        reply.eventStream();
        reply.chunk(openAiFixture.beforeText + openAiFixture.delta(hostile));
      };
      await page.getByLabel('Message', { exact: true }).fill('Go');
      await page.getByRole('button', { name: 'Send' }).click();
      await expectText(panel('Chat').getByRole('listitem').last());
      await page.getByRole('button', { name: 'Stop' }).click();
      await closed;
      await panel('Chat').getByText('Stopped.').waitFor();
      await report('Chat').getByText('200, stopped by you').waitFor();
      expect(await report('Chat').textContent()).toContain('x-ratelimit-remaining-requests2');
    });

    it('shows calls of tools as text', async () => {
      script = (reply) => makeMove(reply, [['lookup', JSON.stringify({ q: hostile })]]);
      await page.getByText('Settings', { exact: true }).click();
      await page.getByLabel('List of tools').fill('[{"type": "function", "function": {"name": "lookup"}}]');
      await page.getByLabel('Message', { exact: true }).fill('Look it up');
      await page.getByRole('button', { name: 'Send' }).click();
      const call = panel('Chat').locator('.tool-call');
      await call.getByText('onerror').waitFor();
      expect(await call.locator('img').count()).toBe(0);
      expect(vendor.requests.at(-1)?.json['messages']).toMatchObject([
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: hostile },
        { role: 'user', content: 'Look it up' },
      ]);

      script = (reply) =>
        makeMove(
          reply,
          reply.index % 2 === 0 ? [['calculator', JSON.stringify({ expression: hostile })]] : hostile,
        );
      await open('Agents');
      await panel('Agents').getByLabel('Agent', { exact: true }).selectOption('tester');
      await panel('Agents').getByLabel('What is it to do?').fill(hostile);
      await page.getByRole('button', { name: 'Run' }).click();
      await panel('Agents').getByText('company is needed.').waitFor();
      await panel('Agents').getByLabel('company').fill('Acme');
      await page.getByRole('button', { name: 'Run' }).click();
      await panel('Agents').getByText('Succeeded').waitFor();
      await expectText(panel('Agents').locator('.steps'));
      expect(await panel('Agents').locator('.step[data-failed]').count()).toBe(1);
      expect(JSON.stringify(vendor.requests.at(-1)?.json['messages'])).toContain('Help Acme.');
    });

    it('says when to come back, and leads back to the key when that is refused', async () => {
      await open('Chat');
      const message = page.getByLabel('Message', { exact: true });
      await message.fill('Once more');
      await message.press('Enter');
      await report('Chat')
        .getByText(/You can call again in [\d\smin]+s\./)
        .waitFor();
      await report('Chat').getByText('rate_limited').waitFor();
      // What was not answered can be sent again.
      expect(await message.inputValue()).toBe('Once more');
      await app.accounts.storedKeys.revoke({ id: keyId, tenantId: 'acme' }, 'test');
      await message.press('Enter');
      const refusal = page.getByRole('alert').getByText(/key/);
      await refusal.waitFor();
      expect(await page.getByRole('tablist').isVisible()).toBe(false);
      await page.locator('#key:focus').waitFor();
      const others = watched.problems.filter((problem) => !/4(29|01)/.test(problem));
      expect(others).toEqual([]);
    });
  });
});

/** A call as some code makes it. */
export interface MadeCall {
  readonly url: string;
  readonly key: string;
  readonly body: unknown;
}

/** What a line for the shell would call, found by running it with another `curl` and the key `k`. */
export function callOfCurl(code: string): MadeCall {
  const shell = `curl() { printf '%s\\0' "$@"; }\n${code}`;
  const env = { PATH: process.env['PATH'], SWITCHYARD_API_KEY: 'k' };
  const words = execFileSync('sh', ['-c', shell], { env, encoding: 'utf8' }).split('\0');
  const authorization = words.find((word) => word.startsWith('Authorization: ')) ?? '';
  return {
    url: words.find((word) => word.startsWith('http')) ?? '',
    key: authorization.slice('Authorization: '.length),
    body: JSON.parse(words[words.indexOf('-d') + 1] ?? ''),
  };
}

type Run = (...given: readonly unknown[]) => Promise<void>;
const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => Run;
const environment = { env: { SWITCHYARD_API_KEY: 'k' }, stdout: { write: () => true } };
const quiet = { log: () => undefined };

/** What a piece of JavaScript calls with `fetch`. */
export async function callOfFetch(code: string): Promise<MadeCall> {
  let made: MadeCall | undefined;
  const fetch = async (url: string, options: { body: string; headers: Record<string, string> }) => {
    made = { url, key: options.headers['Authorization'] ?? '', body: JSON.parse(options.body) };
    return new Response('{}');
  };
  await new AsyncFunction('fetch', 'process', 'console', code)(fetch, environment, quiet);
  if (!made) throw new Error('It calls nothing.');
  return made;
}

export interface LibraryCall {
  readonly options: unknown;
  readonly method: string;
  readonly given: unknown;
}

/** What a piece of JavaScript calls with the client library. */
export async function callOfLibrary(code: string): Promise<LibraryCall> {
  let made: LibraryCall | undefined;
  class Switchyard {
    constructor(options: unknown) {
      const call = (_: object, method: string) => (given: unknown) => {
        made = { options, method, given };
        return [];
      };
      Object.setPrototypeOf(this, new Proxy({}, { get: call }));
    }
  }
  const [first = '', ...rest] = code.split('\n');
  if (first !== "import { Switchyard } from '@switchyard/client';")
    throw new Error(`It begins with ${first}`);
  await new AsyncFunction('Switchyard', 'process', 'console', rest.join('\n'))(
    Switchyard,
    environment,
    quiet,
  );
  if (!made) throw new Error('It calls nothing.');
  return made;
}
