import { expect } from 'vitest';
import type { AgentRun } from '../../generated/types.gen.ts';
import type { Agent } from '../../src/services/agents/settings.ts';
import type { VendorScript } from '../lib/vendor.ts';
import { agentOf, type ModelMove } from './agents.ts';
import { appForThisTest, type TestAppOptions } from './app.ts';
import { ask } from './http.ts';
import { providerOf, vendorFor } from './vendor-gateway.ts';

/** What a stream tells of a call of a tool and the answer after it. */
export const eventsOfTwoSteps = ['start', 'step', 'tool_call', 'step', 'delta', 'step', 'end'];

export const sum: ModelMove = [['calculator', '{"expression":"1 + 1"}']];

/** A server whose agent `tester` runs on a scripted model. */
export async function serverWith(
  script: VendorScript,
  agent: Partial<Agent> = {},
  more: TestAppOptions = {},
) {
  const vendor = await vendorFor(script);
  const app = await appForThisTest({
    ...more,
    models: {
      providers: [providerOf('openai', vendor.baseUrl), providerOf('anthropic', vendor.baseUrl)],
      maxAttempts: 1,
      defaultModel: 'gpt-4o',
      ...more.models,
    },
    agents: { agents: [agentOf({ model: 'gpt-4o', ...agent })], ...more.agents },
  });
  const at = `${app.url}/v1/agents/tester`;
  const run = async (body: object = {}): Promise<AgentRun> => {
    const { status, json } = await ask(`${at}/run`, { body: { input: 'Go', ...body } });
    expect(status).toBe(200);
    return json;
  };
  const record = async (id: string): Promise<AgentRun> => (await ask(`${at}/runs/${id}`)).json;
  const ended = async (id: string): Promise<AgentRun> => {
    for (;;) {
      const run = await record(id);
      if (run.status !== 'running') return run;
    }
  };
  const ledgerOf = async (run: AgentRun) => {
    for (;;) {
      const { json } = await ask(`${app.url}/v1/requests/${run.request_id}`);
      if (json.status !== 'running') return json;
    }
  };
  return { app, vendor, at, run, record, ended, ledgerOf };
}

/** What a run did, step by step. */
export const stepsOf = ({ steps }: AgentRun) =>
  steps.map((step) => (step.type === 'tool' ? `${step.name}: ${step.result}` : step.content || '(calls)'));
