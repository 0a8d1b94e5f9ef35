import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { AgentRunEvent, FactoryDiff, FactoryJob, RunStep } from '../../../generated/types.gen.ts';
import { eventsIn } from '../../../scripts/generate/document.ts';
import { type CallReport, newReport } from '../../../src/pages/assets/api-caller.ts';
import { buildParts } from '../../../src/pages/assets/build-parts.ts';
import { newBuild } from '../../../src/pages/assets/build-state.ts';
import { changeText, historyParts } from '../../../src/pages/assets/change-words.ts';
import { readingParts } from '../../../src/pages/assets/reading-parts.ts';
import { errorParts, factParts } from '../../../src/pages/assets/report-parts.ts';
import { afterRunEvent, newRun, runStatus, stepsView } from '../../../src/pages/assets/run-parts.ts';

const addresses = { publicUrl: 'http://a.example', previewDomain: null };

describe('reading parts', () => {
  const unserved = { head: 'metronome', nearest: ['timer', 'tracker'], message: 'There is no metronome.' };

  describe('what a plan has no place for', () => {
    it('is told, with the choice once something can be chosen', () => {
      const told = readingParts(
        { not_taken_up: ['blockchain', '<b>3</b>'], unserved, conflicts: ['12 June is <no> Friday.'] },
        true,
      ).text;
      expect(told).toContain('Please check: </strong>12 June is &lt;no&gt; Friday.');
      expect(told).toContain('There is no metronome.');
      expect(told).toContain('<q>blockchain</q>, <q>&lt;b&gt;3&lt;/b&gt;</q>.');
      expect([...told.matchAll(/data-near="(\w*)"/g)].map(([, kind]) => kind)).toEqual([
        'timer',
        'tracker',
        '',
      ]);
      expect(readingParts({ not_taken_up: [], unserved }, false).text).not.toContain('data-near');
    });

    it('is nothing where all was taken up', () => {
      expect(readingParts({ not_taken_up: [], unserved: null }, true).text).toBe('');
      expect(readingParts(null, true).text).toBe('');
      // Builds of earlier versions say nothing about it.
      expect(readingParts({}, true).text).toBe('');
    });

    it('is told in part where it is long', () => {
      const words = Array.from({ length: 30 }, (_, n) => `w${n}`);
      const told = readingParts({ not_taken_up: words }, true).text;
      expect(told).toContain('w23');
      expect(told).not.toContain('w24');
      expect(told).toContain('and 6 more.');
    });
  });

  const revision = (number: number, change: object, status = 'succeeded', left: string[] = []) =>
    ({
      id: `job_${number}`,
      status,
      created_at: '2026-11-20T10:00:00.000Z',
      revision: {
        number,
        change: { type: 'first', instruction: null, restored: null, ...change },
        not_understood: left,
      },
    }) as unknown as FactoryJob;
  const actions = (text: string) =>
    [...text.matchAll(/data-act="(\w+)" data-number="(\d)"/g)].map(([, act, number]) => `${act} ${number}`);

  describe('the history of an app', () => {
    const all = [
      revision(3, { type: 'instruction', instruction: '<i>green</i>' }, 'succeeded', ['sing']),
      revision(2, { type: 'patch' }, 'failed'),
      revision(1, {}),
    ];

    it('says what each revision changed, and offers what can be done with it', () => {
      const { text } = historyParts(all, 'job_3', null);
      expect(text).toContain('“&lt;i&gt;green&lt;/i&gt;”');
      expect(text).toContain('Not done: <q>sing</q>.');
      expect(text).toContain('the first build');
      const at = { type: 'instruction', instruction: 'At /name: call it B' };
      const named = { ...revision(1, {}), plan: { spec: { name: 'A' } } } as unknown as FactoryJob;
      const next = revision(2, at);
      next.revision.base_id = 'job_1';
      expect(historyParts([next, named], 'job_2', null).text).toContain('“A: call it B”');
      expect(actions(text)).toEqual(['show 1', 'compare 1', 'restore 1']);
      expect(actions(historyParts(all, 'job_1', null).text)).toEqual(['show 3', 'compare 3', 'restore 1']);
    });

    it('compares in words and by files', () => {
      const diff: FactoryDiff = {
        object: 'factory.diff',
        from: { id: 'job_1', number: 1 },
        to: { id: 'job_3', number: 3 },
        spec: [{ path: 'name', before: 'A', after: '<b>' }],
        files: [
          {
            path: 'src/a.js',
            status: 'changed',
            before_bytes: 1,
            after_bytes: 2,
            diff: '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y',
          },
          { path: 'index.html', status: 'changed', before_bytes: 1, after_bytes: 2, diff: null },
        ],
      };
      const { text } = historyParts(all, 'job_3', { number: 1, diff });
      expect(text).toContain('From revision 1 to 3');
      expect(text).toContain('Name: “A” → “&lt;b&gt;”');
      expect([...text.matchAll(/data-sort="(\w+)">(.)/g)].map(([, sort, sign]) => `${sort}${sign}`)).toEqual([
        'place@',
        'removed-',
        'added+',
      ]);
      expect(text).toContain('1 bytes before, 2 after.');
    });

    it.each([
      [{ type: 'first' }, ''],
      [{ type: 'patch' }, 'changed in the form'],
      [{ type: 'instruction', instruction: 'call it Zap' }, '“call it Zap”'],
      [{ type: 'instruction', instruction: null }, 'an instruction'],
      [
        { type: 'instruction', instruction: 'At /entity/fields/0/label: make it required' },
        '“Genre: make it required”',
      ],
      [
        { type: 'instruction', instruction: 'At /entity/fields/1/label: call it Zap' },
        '“Field 2, name: call it Zap”',
      ],
      [{ type: 'restore', restored: 2 }, 'revision 2 again'],
    ])('%j', (change, words) => {
      const asked = { change: { instruction: null, restored: null, ...change }, understood: ['Done.'] };
      expect(changeText(asked as never, { entity: { fields: [{ label: 'Genre' }] } })).toBe(words);
    });

    it('is said above a build by what was done and what was not', () => {
      const { revision: at } = revision(2, {
        type: 'instruction',
        instruction: 'At /name: call it B and fly',
      });
      const made = {
        ...at,
        root_id: 'job_1',
        understood: ['“A” is now called “B”.'],
        not_understood: ['fly'],
      };
      const parts = buildParts({ ...newBuild(''), status: 'succeeded', revision: made }, addresses);
      expect(parts['family']?.text).toContain('Revision 2: “A” is now called “B”. · ');
      expect(parts['notices']?.text).toContain('Not done: <q>fly</q>. ');
    });
  });
});

describe('report parts', () => {
  const report = newReport({ path: '/v1/chat', body: {}, library: { method: 'chat' } });
  const factsOf = (more: Partial<typeof report>) => factParts({ ...report, status: 200, ...more }).text;

  describe('the usage of a call', () => {
    it.each([
      ['whole', null, 'no tokens: no model was called'],
      ['cut', null, 'not known: the answer was cut'],
      ['stopped', null, 'not known: the answer was stopped'],
      // A stream that reported its failure before it ended.
      ['whole', { code: 'provider_stream_interrupted' }, 'not known: the answer was cut'],
    ] as const)('%s, with the error %j, is said to be %s', (state, error, said) => {
      expect(factsOf({ state, error })).toContain(said);
    });

    it('is not told while it runs, nor for a call that was refused', () => {
      expect(factsOf({ state: 'running' })).not.toContain('Usage');
      expect(factsOf({ state: 'whole', status: 502, error: { code: 'provider_error' } })).not.toContain(
        'Usage',
      );
    });

    it('is told where it is known', () => {
      const usage = {
        prompt_tokens: 2,
        completion_tokens: 3,
        total_tokens: 5,
        source: 'estimated',
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      } as const;
      expect(factsOf({ state: 'whole', usage })).toContain('5 tokens: 2 in, 3 out, estimated');
    });
  });
});

describe('run parts', () => {
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
  const shown = (step: RunStep) => stepsView({ ...newRun(), steps: [step] }).text;

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
      expect(runStatus(over ?? newRun()).text).toContain('Succeeded');
    });

    it('links to the build that it has started, and nowhere else', () => {
      const job = 'job_5qjw4d8vfg1yc32qxr4m33ewq7';
      const result = JSON.stringify({
        job_id: job,
        self: 'https://elsewhere.example/',
        events: 'javascript:1',
      });
      expect(shown(toolStep('build_app', result)).match(/href="[^"]*"/g)).toEqual([
        `href="/preview/${job}/"`,
      ]);
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
      const text = parts.text;
      expect(text.match(/href="[^"]*"/g)).toEqual(['href="/docs#/errors/model_required"']);
      expect(text).toContain('&lt;i&gt;No&lt;/i&gt;');
      const odd = { code: 'x/../y', message: 'No' } as unknown as CallReport['error'];
      expect(errorParts(failed(odd), null).text).not.toContain('href');
    });

    it('says when it may be tried again', () => {
      const error = { code: 'rate_limited', message: 'Too many.' } as const;
      const said = (ms: number) => errorParts(failed(error), ms).text;
      expect(said(65_000)).toMatch(/again in 1\smin 05\ss\./);
      expect(said(0)).toContain('You can call again now.');
      expect(said(86_400_000)).toMatch(/again after \w+ \d+, \d{4}/);
    });
  });
});
