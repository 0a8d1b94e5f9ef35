import { describe, expect, test } from 'vitest';
import { callTool } from '../../../../src/services/agents/call-tool.ts';
import { buildApp } from '../../../../src/services/agents/tools/build-app.ts';
import { textOfPage } from '../../../../src/services/agents/tools/fetch-url.ts';
import { calculator, currentTime } from '../../../../src/services/agents/tools/simple-tools.ts';
import type { AgentTool, ToolContext } from '../../../../src/services/agents/tools/tool.ts';
import { toolContext } from '../../../helpers/agents.ts';

const reckon = (expression: string) => calculator.run({ expression }, toolContext());

describe('the calculator', () => {
  test.each([
    ['17 * 23', '391'],
    ['2 + 3 * 4', '14'],
    ['(2 + 3) * 4', '20'],
    ['2^3^2', '512'],
    ['-2^2', '-4'],
    ['2^-1', '0.5'],
    ['0.1 + 0.2', '0.3'],
    ['1e3 / 8', '125'],
    ['10 % 4', '2'],
    ['-(-5)', '5'],
    ['round(2 / 3, 2)', '0.67'],
    ['round(-2.5)', '-2'],
    ['sqrt(16) + abs(-3) + max(1, 7, 3)', '14'],
    ['mean(1, 2, 3, 4)', '2.5'],
    ['sum(0.1, 0.2)', '0.3'],
    ['cos(pi)', '-1'],
    ['0 * -1', '0'],
    ['9007199254740991', '9007199254740991'],
    ['2^100', '1267650600228229401496703205376'],
    ['9007199254740993 - 1', '9007199254740992'],
    ['-(123456789 * 987654321) % 100', '-69'],
    ['123456789 * 987654321 * 3 / 3', '121932631112635269'],
    ['2^100 / 3', '4.22550200076076e+29'],
    ['2 × 3 · 4 ÷ 8 − 1', '2'],
    ['2**3 * π', '25.1327412287183'],
  ])('%s is %s', async (expression, expected) => {
    expect(await reckon(expression)).toBe(expected);
  });

  test.each([
    ['1 / 0', 'divides by zero'],
    ['sqrt(-1)', 'has no finite value'],
    ['10^1000', 'has no finite value'],
    ['2 +', 'is not arithmetic'],
    ['', 'is empty'],
    ['1 2', 'is not one expression; write numbers as 1000 or 0.5, and 2 * 3 with its sign'],
    ['1,000', 'is not one expression'],
    ['"a" + 1', 'holds something that is no number'],
    ['process', 'unknown name "process"'],
    ['__proto__', 'unknown name "__proto__"'],
    ['constructor("return 1")', 'unknown function "constructor"; there are abs, ceil, floor, round,'],
    [
      'sqrt.constructor("return 1")()',
      'calls something that is no function of the calculator; there are abs,',
    ],
    ['process.exit()', 'calls something that is no function of the calculator; there are abs,'],
    ['(1).toString()', 'calls something that is no function'],
    ['[].map', 'neither a number nor an operation'],
    ['a = 1', 'is not arithmetic'],
    ['toString()', 'unknown function "toString"'],
    ['this', 'holds'],
    ['sqrt()', 'calls sqrt with 0 values'],
    ['abs(1, 2)', 'calls abs with 2 values'],
    ['1 ? 2 : 3', 'neither a number'],
    ['9'.repeat(1001), 'is longer than 1000 characters'],
    [`${'('.repeat(499)}1`, 'is not arithmetic'],
  ])('does not reckon %j', async (expression, why) => {
    await expect(reckon(expression)).rejects.toThrow(why);
  });
});

describe('the clock', () => {
  const clock = currentTime(() => Date.UTC(2026, 10, 20, 14, 30));
  test('tells the time in UTC and elsewhere', async () => {
    expect(await clock.run({}, toolContext())).toBe('2026-11-20T14:30:00Z (Friday)');
    const there = await clock.run({ time_zone: 'Asia/Tokyo' }, toolContext());
    expect(there).toContain('23:30:00');
    await expect(clock.run({ time_zone: 'Mars/Olympus' }, toolContext())).rejects.toThrow(
      'There is no time zone',
    );
  });
});

describe('the way to the factory', () => {
  test('gives the links of a build', async () => {
    const tool = buildApp(async (prompt) => ({ jobId: 'job_1', links: { preview: `/p?${prompt}` } }));
    expect(JSON.parse(String(await tool.run({ prompt: 'x' }, toolContext())))).toEqual({
      job_id: 'job_1',
      preview: '/p?x',
    });
  });
});

describe('the text of a page', () => {
  test('is what a reader sees', async () => {
    const html = `<!doctype html><html><head><title>A  page</title><style>p{}</style></head><body>
      <script>alert(1)</script><h1>Head</h1><p>One <b>two</b>
      three.</p><table><tr><td>a</td><td>b</td></tr></table><noscript>no</noscript><!-- x --></body></html>`;
    expect(await textOfPage(html)).toBe('A page\nHead\nOne two three.\na\tb');
  });

  test('comes also of a page that is nested without end', async () => {
    expect(await textOfPage(`${'<div>'.repeat(20_000)}deep`)).toBe('deep');
  });
});

describe('a call of a tool', () => {
  const context = { signal: new AbortController().signal } as ToolContext;

  /** What a tool is given for the id that https://github.com/earendil-works/pi/issues/8943 (2026-11-27) names. */
  async function given(more: Partial<AgentTool>): Promise<string> {
    let seen = '';
    const tool: AgentTool = {
      name: 'get',
      description: 'Gets.',
      parameters: { type: 'object', properties: { id: { type: 'integer' } } },
      available: true,
      run: async (values) => {
        seen = JSON.stringify(values);
        return typeof values['id'];
      },
      ...more,
    };
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'get', arguments: '{"id":9007199254740993}' },
    } as const;
    const { result, isError } = await callTool(new Map([['get', tool]]), call, context, () => undefined);
    expect(isError).toBe(false);
    return `${result} ${seen}`;
  }

  test('a tool that passes its arguments on gets every digit of a number, though its schema asks for an integer', async () => {
    expect(await given({ passesOn: true })).toBe('object {"id":9007199254740993}');
  });

  test('any other gets numbers', async () => {
    expect(await given({})).toBe('number {"id":9007199254740992}');
  });

  test.each([
    ['http://json-schema.org/draft-07/schema#', {}],
    ['http://json-schema.org/draft-06/schema#', {}],
    ['http://json-schema.org/draft-04/schema#', { id: 'get', maximum: 5, exclusiveMaximum: true }],
    ['https://json-schema.org/draft/2019-09/schema', {}],
    ['https://json-schema.org/draft/2020-12/schema', {}],
  ])('arguments are checked against a schema of %s', async ($schema, more) => {
    const tool: AgentTool = {
      name: 'get',
      description: 'Gets.',
      parameters: { $schema, type: 'object', properties: { n: { type: 'number', ...more } } },
      available: true,
      run: async () => 'called',
    };
    const call = { id: 'c1', type: 'function', function: { name: 'get', arguments: '{"n":"no"}' } } as const;
    const { result, isError } = await callTool(new Map([['get', tool]]), call, context, () => undefined);
    expect({ result, isError }).toEqual({
      result: 'The arguments do not fit: n must be number.',
      isError: true,
    });
  });
});
