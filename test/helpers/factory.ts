import { createHash } from 'node:crypto';
import type { BuildEvent, FactoryJob } from '../../generated/types.gen.ts';
import type { BuildContext, Builder, BuildReport, BuiltApp } from '../../src/factory/factory.ts';
import { read } from '../../src/factory/read/read.ts';
import type { Weights } from '../../src/services/builds/turns.ts';
import type { TestApp } from './app.ts';
import { type Answer, type Ask, ask } from './http.ts';

/** Every tenant has as many turns as the others. */
const weightOne = { buildWeight: 1 };
export const equalWeights: Weights = { free: weightOne, pro: weightOne, enterprise: weightOne };

/** Something that is waited for and then happens for all who wait. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const spec = read('an expense tracker called "Coins"').spec;
const sha256 = createHash('sha256').update('x').digest('hex');
const zip = new Uint8Array([80, 75, 5, 6, ...new Array(18).fill(0)]);

/** What `look` gives as soon as it gives something. */
export async function eventually<T>(
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
): Promise<T> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** An app that costs nothing to build. */
export const tinyApp: BuiltApp = {
  spec,
  files: new Map([['index.html', '<h1>Coins</h1>']]),
  checks: [],
  html: '<!doctype html><title>Coins</title><h1>Coins</h1>',
  package: { zip, sha256, entries: [{ path: 'index.html', bytes: 14, sha256 }] },
  assumptions: [],
};

const check = (status: 'passed' | 'failed'): BuildReport => ({
  type: 'check',
  result: { id: 'html.parse', status, problems: [] },
});
const problem = {
  id: 'html.parse',
  severity: 'error',
  message: 'Broken.',
  file: 'index.html',
  line: 1,
} as const;

/** Every kind of report, in an order that builds have. */
export const everyReport: readonly BuildReport[] = [
  { type: 'stage', stage: 'planning' },
  {
    type: 'spec',
    reading: { spec, notTakenUp: [], unserved: null },
    engine: { mode: 'model', model: 'gpt-test' },
  },
  {
    type: 'usage',
    usage: {
      calls: 1,
      inputTokens: 100,
      attempts: [
        {
          provider: 'openai',
          model: 'gpt-4o',
          outcome: 'failed',
          errorCode: 'provider_error',
          status: 500,
          durationMs: 3,
        },
      ],
      outputTokens: 20,
      costUsd: 0.01,
      served: { provider: 'openai', model: 'gpt-4o' },
    },
  },
  { type: 'stage', stage: 'generating' },
  { type: 'file', path: 'index.html', bytes: 14, sha256, index: 1, total: 1 },
  { type: 'stage', stage: 'verifying' },
  check('failed'),
  { type: 'stage', stage: 'repairing' },
  { type: 'repair', round: 1, maxRounds: 2, problems: [problem] },
  { type: 'repaired', round: 1, fixed: 1, remaining: 0 },
  { type: 'stage', stage: 'verifying' },
  check('passed'),
  { type: 'notice', code: 'engine_degraded', message: 'The model could not build it; templates take over.' },
  { type: 'stage', stage: 'packaging' },
];

/** A builder that reports all this and awaits `before` before each. */
export function scripted(
  before: (report: BuildReport, context: BuildContext) => Promise<unknown> | unknown = () => undefined,
  reports = everyReport,
): Builder {
  return async (context) => {
    for (const report of reports) {
      await before(report, context);
      await context.report(report);
    }
    return tinyApp;
  };
}

/** The events of a whole stream that must consist of `data:` lines, blank lines and, where they may be, `id:` lines. */
export function eventsIn(text: string, numbered = false): BuildEvent[] {
  const blocks = text.split('\n\n');
  if (blocks.pop() !== '') throw new Error(`the stream ends in the middle of an event: ${text.slice(-100)}`);
  return blocks.map((block) => {
    const found = /^(?:id: (\d+)\n)?data: (.+)$/.exec(block);
    if (!found) throw new Error(`not an event: ${block.slice(0, 200)}`);
    const event = JSON.parse(found[2] ?? '') as BuildEvent;
    const id = numbered && event.seq !== null ? String(event.seq) : undefined;
    if (found[1] !== id) throw new Error(`the id ${found[1]} stands before event ${event.seq}`);
    return event;
  });
}

/** Those that belong to the build. */
export function storedIn(events: readonly BuildEvent[]): BuildEvent[] {
  return events.filter(({ seq }) => seq !== null);
}

/** What holds for the events of every build that is over. */
export function faultsOf(events: readonly BuildEvent[]): string[] {
  const stored = storedIn(events);
  const finals = events.filter((event) => 'final' in event);
  const faults: string[] = [];
  if (stored.some(({ seq }, index) => seq !== index + 1))
    faults.push(`gaps: ${stored.map(({ seq }) => seq)}`);
  if (finals.length !== 1 || finals[0] !== events.at(-1)) faults.push(`${finals.length} final events`);
  if (stored[0]?.type !== 'job.queued') faults.push(`begins with ${stored[0]?.type}`);
  const attempts = stored.map(({ attempt }) => attempt);
  if (attempts.some((attempt, index) => attempt < (attempts[index - 1] ?? 0)))
    faults.push('attempts go back');
  return faults;
}

export function finalJob(events: readonly BuildEvent[]): FactoryJob {
  const last = events.at(-1);
  if (!last || !('final' in last)) throw new Error(`the last event is ${last?.type}`);
  return last.job;
}

/** Posts a demo prompt and reads its stream to the end. */
export function postDemo(app: Pick<TestApp, 'url'>, prompt: unknown, asking: Ask = {}): Promise<Answer> {
  return ask(`${app.url}/api/factory/public-demo`, { body: { prompt }, key: null, ...asking });
}

/** Asks the private interface. */
export function askJobs(app: Pick<TestApp, 'url'>, path = '', asking: Ask = {}): Promise<Answer> {
  return ask(`${app.url}/api/v1/factory/jobs${path}`, { keyAs: 'x-api-key', ...asking });
}

/** One of the two interfaces that builds can be asked for by. */
export interface Side {
  readonly name: string;
  /** Asks for a build, or for a revision where a path is given. */
  post(app: Pick<TestApp, 'url'>, body: unknown, path?: string, asking?: Ask): Promise<Answer>;
  get(app: Pick<TestApp, 'url'>, path: string, asking?: Ask): Promise<Answer>;
  /** The record of a build that was asked for, when it is over. */
  finished(app: Pick<TestApp, 'url'>, answer: Answer): Promise<FactoryJob>;
}

const demoUrl = (app: Pick<TestApp, 'url'>, path = '') => `${app.url}/api/factory/public-demo${path}`;

export const demoSide: Side = {
  name: 'demo',
  post: (app, body, path = '', asking = {}) => ask(demoUrl(app, path), { body, key: null, ...asking }),
  get: (app, path, asking = {}) => ask(demoUrl(app, path), { key: null, ...asking }),
  async finished(_app, { status, text }) {
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return finalJob(eventsIn(text));
  },
};

export const tenantSide: Side = {
  name: 'tenant',
  post: (app, body, path = '', asking = {}) => askJobs(app, path, { body, ...asking }),
  get: (app, path, asking = {}) => askJobs(app, path, asking),
  async finished(app, { status, text, json }) {
    if (status !== 202) throw new Error(`${status}: ${text}`);
    await askJobs(app, `/${json.id}/events`);
    return (await askJobs(app, `/${json.id}`)).json;
  },
};

export const sides = [demoSide, tenantSide];

/** A build that is over. */
export async function built(side: Side, app: Pick<TestApp, 'url'>, body: unknown): Promise<FactoryJob> {
  return side.finished(app, await side.post(app, body));
}

/** A revision that is over. */
export async function revised(
  side: Side,
  app: Pick<TestApp, 'url'>,
  id: string,
  body: unknown,
): Promise<FactoryJob> {
  return side.finished(app, await side.post(app, body, `/${id}/revisions`));
}

/** A spec of a list of loans, as a person would write it. */
export const loans = {
  kind: 'tracker',
  name: 'Loans',
  palette: { accent: '#2f7d4f' },
  entity: {
    singular: 'loan',
    plural: 'loans',
    fields: [
      { label: 'Book', type: 'text', required: true },
      { label: 'Lent to', type: 'text' },
      { label: 'Due date', type: 'date' },
    ],
  },
  seed: [{ f0: 'Dune', f1: 'Ana', f2: '@+7' }],
} as const;

/** The build that was begun last. */
export async function latestBuild(app: TestApp): Promise<string> {
  const row = await app.accounts.store.db
    .selectFrom('factory_jobs')
    .select('id')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Every way to start a build and watch it. */
export const ways = ['demo', 'job'] as const;

/** Starts a build and watches it; `texts` is what its streams have shown so far. */
export async function beginBuild(app: TestApp, way: (typeof ways)[number], prompt: string) {
  const texts: string[] = [];
  const seen = (stream: number) => {
    texts[stream] = '';
    return (text: string) => {
      texts[stream] = text;
    };
  };
  if (way === 'demo') {
    const posted = postDemo(app, prompt, { seen: seen(0) });
    const { id } = await eventually(() =>
      app.accounts.store.db
        .selectFrom('factory_jobs')
        .select('id')
        .where('prompt', '=', prompt)
        .executeTakeFirst(),
    );
    return {
      id,
      owner: null,
      streams: [
        posted.then(({ text }) => eventsIn(text)),
        watchDemo(app, id, seen(1)).then(({ text }) => eventsIn(text, true)),
      ],
      texts,
    };
  }
  const { json } = await askJobs(app, '', { body: { prompt } });
  return {
    id: json.id as string,
    owner: 'local',
    streams: [askJobs(app, `/${json.id}/events`, { seen: seen(0) }).then(({ text }) => eventsIn(text, true))],
    texts,
  };
}

const watchDemo = (app: TestApp, id: string, seen: (text: string) => void) =>
  ask(`${app.url}/api/factory/public-demo/${id}/events?after=0`, { key: null, seen });
