import { expect, test } from 'vitest';
import { callTool } from '../../../../src/services/agents/call-tool.ts';
import type { AgentTool, ToolContext } from '../../../../src/services/agents/tools/tool.ts';

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
  'http://json-schema.org/draft-07/schema#',
  'http://json-schema.org/draft-04/schema#',
  'https://json-schema.org/draft/2020-12/schema',
])('arguments are checked against a schema of %s', async ($schema) => {
  const tool: AgentTool = {
    name: 'get',
    description: 'Gets.',
    parameters: { $schema, type: 'object', properties: { n: { type: 'number' } } },
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
