/** Plans without builds, and builds from specs. */
import { describe, expect, it } from 'vitest';
import type { FactoryJob } from '../../../generated/types.gen.ts';
import { appForThisTest } from '../../helpers/app.ts';
import { built, demoSide, eventsIn, loans, sides, tenantSide } from '../../helpers/factory.ts';
import { type Ask, ask } from '../../helpers/http.ts';
import { onEveryStore } from '../../helpers/store.ts';

const planned = (app: { url: string }, body: unknown, asking: Ask = {}) =>
  ask(`${app.url}/api/factory/plan`, { body, key: null, ...asking });
const plannedFor = (app: { url: string }, body: unknown, asking: Ask = {}) =>
  ask(`${app.url}/api/v1/factory/plan`, { body, keyAs: 'x-api-key', ...asking });

onEveryStore('a plan', (on) => {
  it('is limited apart from builds, over all processes, and says so', async () => {
    const app = await appForThisTest({
      database: await on.database(),
      trustedProxies: 1,
      factory: { demoPlans: 2, demo: { builds: 1, windowMs: 300_000 } },
    });
    const from = (client: string) => ({ headers: { 'x-forwarded-for': client } });
    const body = { prompt: 'reading list where I can rate books' };
    for (const remaining of [1, 0]) {
      const { status, headers } = await planned(app, body, from('10.0.0.1'));
      expect([status, headers['ratelimit']]).toEqual([200, `"demo-plans";r=${remaining};t=300`]);
    }
    const spent = await planned(app, body, from('10.0.0.1'));
    expect([spent.status, spent.error.code, spent.headers['ratelimit-policy']]).toEqual([
      429,
      'demo_limited',
      '"demo-plans";q=2;w=300',
    ]);
    expect((await planned(app, {}, from('10.0.0.1'))).status).toBe(400);
    expect((await planned(app, body, from('10.0.0.2'))).status).toBe(200);
    expect((await demoSide.post(app, body, '', from('10.0.0.1'))).status).toBe(200);
  });
});

it('is the same that a build of the same request is made of, and builds nothing', async () => {
  const app = await appForThisTest();
  for (const body of [
    { prompt: 'reading list where I can rate books' },
    { spec: loans },
    { prompt: 'a dark list of what I have lent', spec: { name: 'Lent' } },
    { prompt: 'reading list', template_id: 'notes' },
  ]) {
    const { status, json } = await planned(app, body);
    expect([status, json.object, json.engine.mode]).toEqual([200, 'factory.plan', 'embedded']);
    expect((await plannedFor(app, body)).json).toEqual(json);
    expect(await app.accounts.store.db.selectFrom('factory_jobs').select('id').execute()).toHaveLength(0);
    const job = await built(demoSide, app, body);
    expect(job.plan?.spec).toEqual(json.spec);
    const again = await built(tenantSide, app, { spec: json.spec });
    expect(again.artifact?.sha256).toBe(job.artifact?.sha256);
    expect(again.plan?.spec).toEqual(json.spec);
    await app.accounts.store.db.deleteFrom('factory_jobs').execute();
  }
});

it('of a tenant is one request in the ledger', async () => {
  const app = await appForThisTest();
  const { headers } = await plannedFor(app, { spec: loans });
  const { json } = await ask(`${app.url}/v1/requests/${headers['x-request-id']}`);
  expect([json.operation, json.status, json.usage]).toEqual(['createFactoryPlan', 'succeeded', null]);
});

it('is refused while the threads have too much to do', async () => {
  const app = await appForThisTest({ factory: { threads: 1 } });
  const answers = await Promise.all(Array.from({ length: 24 }, () => plannedFor(app, { spec: loans })));
  const busy = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(8);
  expect(busy.length).toBeGreaterThan(0);
  expect([busy[0]?.error.code, busy[0]?.headers['retry-after']]).toEqual(['queue_full', '5']);
  expect((await plannedFor(app, { spec: loans })).status).toBe(200);
});

const fields = (count: number) => Array.from({ length: count }, (_, n) => ({ label: `F${n}`, type: 'text' }));
const things = (more: object) => ({ ...loans, seed: [], entity: { ...loans.entity, ...more } });
const refused = [
  [{}, 'prompt', 'prompt is required where there is no spec, and spec'],
  [{ template_id: 'notes' }, 'prompt', 'prompt is required where there is no spec'],
  [{ spec: 'x' }, 'spec', 'spec must be an object'],
  [{ spec: null }, 'spec', 'spec must be an object'],
  [{ spec: {} }, 'spec.kind', 'spec.kind is required where there is no prompt'],
  [{ spec: { kind: 'rocket' } }, 'spec.kind', 'spec.kind must be one of "board"'],
  [{ spec: { ...loans, colour: 'red' } }, 'spec.colour', 'spec.colour is not a known field'],
  [
    {
      spec: things({
        fields: [
          { label: 'A', type: 'text' },
          { label: 'B', type: 'blob' },
        ],
      }),
    },
    'spec.entity.fields[1].type',
    'spec.entity.fields[1].type must be one of "text"',
  ],
  [
    { spec: things({ fields: fields(25) }) },
    'spec.entity.fields',
    'spec.entity.fields must have at most 24 items',
  ],
  [
    { spec: things({ fields: fields(1500) }) },
    'spec.entity.fields',
    'spec.entity.fields must have at most 24 items',
  ],
  [
    {
      spec: things({
        fields: [
          { key: 'f0', label: 'A', type: 'text' },
          { key: 'f0', label: 'B', type: 'text' },
        ],
      }),
    },
    'spec.entity.fields[1].key',
    'spec.entity.fields[1].key is f0 a second time',
  ],
  [{ spec: { kind: 'tracker', variant: 'snake' } }, 'spec.variant', 'spec.variant must be one of table'],
  [
    { spec: things({ fields: [{ label: 'A', type: 'select' }] }) },
    'spec.entity.fields[0].options',
    'is required for the type select',
  ],
  [
    { spec: { ...loans, seed: [{ f9: 'x' }] } },
    'spec.seed[0].f9',
    'spec.seed[0].f9 is not the key of a field',
  ],
  [
    { spec: { ...loans, seed: [JSON.parse('{"__proto__": 1}')] } },
    'spec.seed[0].__proto__',
    'spec.seed[0].__proto__',
  ],
  [{ spec: { ...loans, name: 'a\u0000b' } }, 'spec.name', 'spec.name must not have control characters'],
  [
    {
      spec: {
        kind: 'docs',
        sections: Array.from({ length: 12 }, () => ({
          type: 'text',
          title: 'A',
          text: 'ü'.repeat(800),
          items: [],
        })),
      },
    },
    'spec',
    'bytes of JSON',
  ],
  [
    { spec: { ...loans, palette: { accent: 'green' } } },
    'spec.palette.accent',
    'spec.palette.accent must be a colour such as #2f7d4f',
  ],
  [
    {
      spec: {
        kind: 'calculator',
        formula: {
          inputs: [{ key: 'a', label: 'A' }],
          results: [{ key: 'b', label: 'B', expression: 'a +' }],
        },
      },
    },
    'spec.formula.results[0].expression',
    'cannot be read',
  ],
  [
    { spec: { kind: 'form', contact: { endpoint: 'http://x.example' } } },
    'spec.contact.endpoint',
    'spec.contact.endpoint must be a URL that begins with https:',
  ],
  [{ prompt: '   ', spec: loans }, 'prompt', 'prompt must have at least 3 characters that can be seen.'],
  [{ prompt: '' }, 'prompt', 'prompt must have at least 3 characters.'],
] as const;

describe.each([
  ['a plan', planned],
  ['a plan of a tenant', plannedFor],
  ['a demo build', (app: { url: string }, body: unknown) => demoSide.post(app, body)],
  ['a build', (app: { url: string }, body: unknown) => tenantSide.post(app, body)],
] as const)('%s', (_what, post) => {
  it('of something that does not fit is refused by its path', async () => {
    const app = await appForThisTest();
    for (const [body, param, message] of refused) {
      const { status, error } = await post(app, body);
      const what = JSON.stringify(body).slice(0, 200);
      expect([what, status, error?.code, error?.param]).toEqual([what, 400, 'invalid_request', param]);
      expect(error.message, what).toContain(message);
      expect(error.details.length).toBeLessThanOrEqual(50);
    }
    const deep = `{"spec": {"kind": "notes", "copy": ${'['.repeat(600)}${']'.repeat(600)}}}`;
    expect((await post(app, deep)).status).toBe(400);
    expect(await app.accounts.store.db.selectFrom('factory_jobs').select('id').execute()).toEqual([]);
  });
});

it.each(sides)('a build of the $name with scripts in every text shows them as text', async (side) => {
  const evil = '</script><script>top.x=1</script><img src=x onerror=alert(1)>$';
  const app = await appForThisTest();
  const spec = {
    kind: 'landing',
    name: evil.slice(0, 60),
    tagline: evil,
    sections: [
      {
        type: 'items',
        title: evil,
        text: evil,
        items: [{ title: evil, text: evil, price: evil.slice(0, 40), meta: evil.slice(0, 60) }],
      },
    ],
    hours: [{ days: evil.slice(0, 40), time: evil.slice(0, 40) }],
    contact: { email: evil, phone: evil.slice(0, 40), address: evil },
    copy: { action: evil, kicker: evil },
  };
  const job = await built(side, app, { spec });
  expect([job.status, job.error]).toEqual(['succeeded', null]);
  expect(job.plan?.spec).toMatchObject(spec);
  const { data } = (await side.get(app, `/${job.id}/files`)).json;
  const page: string = data.find(({ path }: { path: string }) => path === 'index.html').text;
  expect(page).not.toContain('<script>top.x=1');
  expect(page).not.toContain('<img src=x');
  expect(page.match(/<script/gi)?.length).toBe(await plainScripts(side, app));
});

async function plainScripts(side: typeof demoSide, app: { url: string }): Promise<number | undefined> {
  const job = await built(side, app, { spec: { kind: 'landing', name: 'Plain' } });
  const { data } = (await side.get(app, `/${job.id}/files`)).json;
  return data.find(({ path }: { path: string }) => path === 'index.html').text.match(/<script/gi)?.length;
}

describe('where it is not sure what was asked for', () => {
  const minesweeper = { prompt: 'minesweeper' };
  const events = (text: string) => eventsIn(text) as { type: string; [member: string]: unknown }[];

  it('"when_unsure": "ask" builds nothing and ends with the choices, for tenants and in the demo', async () => {
    const app = await appForThisTest({ factory: { demo: { builds: 1, windowMs: 300_000 } } });
    const { text } = await demoSide.post(app, { ...minesweeper, when_unsure: 'ask' });
    const end = events(text).at(-1);
    expect(end).toMatchObject({
      type: 'job.unsure',
      final: true,
      job: { status: 'failed', artifact: null, error: { code: 'unsure', retryable: false } },
    });
    const choices = end?.['choices'] as { template_id: string; name: string; description: string }[];
    expect(choices).toHaveLength(3);
    const job = end?.['job'] as FactoryJob | undefined;
    expect(job?.plan?.unserved?.nearest.slice(0, 3)).toEqual(choices.map(({ template_id }) => template_id));
    expect(events(text).map(({ type }) => type)).not.toContain('file.completed');
    const again = await demoSide.get(app, `/${job?.id}/events`);
    expect(eventsIn(again.text, true).at(-1)?.type).toBe('job.unsure');
    // The one build of the demo is still there, and a chosen beginning is built without another question.
    const { template_id } = choices[0] ?? { template_id: '' };
    const chosen = await built(demoSide, app, { ...minesweeper, template_id, when_unsure: 'ask' });
    expect([chosen.status, chosen.plan?.kind, chosen.plan?.unserved]).toEqual([
      'succeeded',
      template_id,
      null,
    ]);
    const asked = await built(tenantSide, app, { ...minesweeper, when_unsure: 'ask' });
    expect([asked.status, asked.error?.code]).toEqual(['failed', 'unsure']);
    const sure = await built(tenantSide, app, { prompt: 'reading list', when_unsure: 'ask' });
    expect(sure.status).toBe('succeeded');
  });

  it('asking counts as a plan, and as a build where no plans are left', async () => {
    const app = await appForThisTest({ factory: { demoPlans: 1, demo: { builds: 1, windowMs: 300_000 } } });
    const asking = { ...minesweeper, when_unsure: 'ask' };
    expect((await demoSide.post(app, asking)).status).toBe(200);
    expect((await demoSide.post(app, asking)).status).toBe(200);
    expect((await demoSide.post(app, asking)).error.code).toBe('demo_limited');
  });

  it('without it the nearest whole app is built, and said to be that by the plan and its event', async () => {
    const app = await appForThisTest();
    const vague = { prompt: 'A thing for our allotment shed: which tool, who took it and when it came back' };
    const { text } = await demoSide.post(app, vague);
    const ready = events(text).find(({ type }) => type === 'plan.ready');
    expect(ready?.['message']).toContain('It may not be what was asked for.');
    expect(ready?.['plan']).toMatchObject({ unserved: { reason: 'unsure' } });
    expect(events(text).at(-1)?.type).toBe('job.succeeded');
    expect((await planned(app, vague)).json.unserved).toMatchObject({ reason: 'unsure' });
    expect((await planned(app, minesweeper)).json.unserved).toMatchObject({ reason: 'no_kind' });
  });
});
