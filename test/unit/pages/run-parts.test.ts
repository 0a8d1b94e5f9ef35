import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { AgentRunEvent, RunStep } from '../../../generated/types.gen.ts';
import { eventsIn } from '../../../src/contract/served/document.ts';
import { type CallReport, newReport } from '../../../src/pages/assets/api-caller.js';
import { errorParts } from '../../../src/pages/assets/report-parts.js';
import { afterRunEvent, newRun, runStatus, stepTrees } from '../../../src/pages/assets/run-parts.js';
import { markup } from '../../../src/pages/factory/build-view.ts';

const file = path.join(import.meta.dirname, '../../../openapi/examples/agents.yaml');
const examples = parse(readFileSync(file, 'utf8')) as Record<string, { value: unknown }>;
const streamed = eventsIn(examples['streamedRun']?.value as string) as AgentRunEvent[];

const toolStep = (name: string, result: string, is_error = false): RunStep => ({
  type: 'tool',
  index: 1,
  tool_call_id: 'call_1',
  name,
  arguments: '{}',
  result,
  is_error,
  duration_ms: 5,
});
const shown = (step: RunStep) => markup(stepTrees({ ...newRun(), steps: [step] })).text;

describe('a run of an agent', () => {
  it('follows its events', () => {
    const events = streamed.filter(({ type }) => type !== 'delta');
    const [begun, calling, stepped, over] = events.map((_, n) =>
      events.slice(0, n + 1).reduce(afterRunEvent, newRun()),
    );
    expect(begun).toMatchObject({ status: 'running', calling: [], runId: expect.stringMatching(/^run_/) });
    expect(calling?.calling).toHaveLength(1);
    expect(stepped?.steps).toHaveLength(1);
    expect(over).toMatchObject({ status: 'succeeded', calling: [] });
    expect(markup(runStatus(over ?? newRun())).text).toContain('Succeeded');
  });

  it('links to the build that it has started, and nowhere else', () => {
    const job = 'job_5qjw4d8vfg1yc32qxr4m33ewq7';
    const result = JSON.stringify({
      job_id: job,
      self: 'https://elsewhere.example/',
      events: 'javascript:1',
    });
    expect(shown(toolStep('build_app', result)).match(/href="[^"]*"/g)).toEqual([`href="/preview/${job}/"`]);
    expect(shown(toolStep('build_app', 'javascript:1'))).not.toContain('href');
    expect(shown(toolStep('build_app', result, true))).not.toContain('href');
    expect(shown(toolStep('calculator', result))).not.toContain('href');
  });

  it('is only ever text', () => {
    expect(shown(toolStep('<b>', '<script>1</script>'))).not.toMatch(/<b>|<script/);
  });
});

describe('an error of a call', () => {
  const failed = (error: CallReport['error']): CallReport => ({
    ...newReport({ path: '/v1/chat', body: {}, library: { method: 'streamChat' } }),
    state: 'whole',
    status: 400,
    error,
  });

  it('is explained where this server explains it, whatever the answer says', () => {
    const docs_url = 'https://elsewhere.example/';
    const parts = errorParts(failed({ code: 'model_required', message: '<i>No</i>', docs_url }), null);
    const text = markup(parts).text;
    expect(text.match(/href="[^"]*"/g)).toEqual(['href="/docs#/errors/model_required"']);
    expect(text).toContain('&lt;i&gt;No&lt;/i&gt;');
    const odd = { code: 'x/../y', message: 'No' } as unknown as CallReport['error'];
    expect(markup(errorParts(failed(odd), null)).text).not.toContain('href');
  });

  it('says when it may be tried again', () => {
    const error = { code: 'rate_limited', message: 'Too many.' } as const;
    const said = (ms: number) => markup(errorParts(failed(error), ms)).text;
    expect(said(65_000)).toMatch(/again in 1\smin 05\ss\./);
    expect(said(0)).toContain('You can call again now.');
    expect(said(86_400_000)).toMatch(/again after \w+ \d+, \d{4}/);
  });
});
