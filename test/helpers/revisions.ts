import type { FactoryJob } from '../../generated/types.gen.ts';
import type { TestApp } from './app.ts';
import { askJobs, eventsIn, finalJob } from './factory.ts';
import { type Answer, type Ask, ask } from './http.ts';

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

/** A spec of a list of loans, as somebody would write it. */
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
