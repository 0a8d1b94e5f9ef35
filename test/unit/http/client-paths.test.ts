import { expect, it } from 'vitest';
import { createRoutes, meantPath } from '../../../src/http/routes.ts';

const routes = createRoutes([]);

it.each([
  ['POST', '/v1/chat/completions', 'createChatCompletion', {}],
  ['POST', '/chat/completions', 'createChatCompletion', {}],
  ['POST', '/v1/v1/chat/completions', 'createChatCompletion', {}],
  ['POST', '/openai/v1/responses', 'createResponse', {}],
  ['POST', '/anthropic/v1/messages', 'createMessage', {}],
  ['POST', '/openai/deployments/gpt-4o/chat/completions', 'createChatCompletion', { model: 'gpt-4o' }],
  ['GET', '/v1/models/openai/gpt-4o', 'getModel', { model: 'openai/gpt-4o' }],
  ['GET', '/v1/models/openai%2Fgpt-4o', 'getModel', { model: 'openai/gpt-4o' }],
  ['GET', '/models/a:b', 'getModel', { model: 'a:b' }],
  [
    'POST',
    '/v1beta/models/gemini-2.0-flash:generateContent',
    'generateContent',
    { model: 'gemini-2.0-flash' },
  ],
  ['POST', '/gemini/v1beta/models/x/y:z:countTokens', 'countGeminiTokens', { model: 'x/y:z' }],
  // What Google's clients ask for since their version 3.
  ['POST', '/v1/models/gemini-3.8-flash:generateContent', 'generateContent', { model: 'gemini-3.8-flash' }],
  ['POST', '/v1/models/a/b:streamGenerateContent', 'streamGenerateContent', { model: 'a/b' }],
  ['POST', '/gemini/v1/models/a:countTokens', 'countGeminiTokens', { model: 'a' }],
  ['POST', '/v1alpha/models/a:generateContent', 'generateContent', { model: 'a' }],
  ['GET', '/v1/models/a:generate', 'getModel', { model: 'a:generate' }],
  ['GET', '/v1beta/models/gemini-2.0-flash', 'getGeminiModel', { model: 'gemini-2.0-flash' }],
] as const)('%s %s is %s', (method, path, operation, params) => {
  const match = routes.match(method, meantPath(path));
  expect([match.target, { ...match.params }]).toEqual([operation, params]);
});

it('leaves other paths alone', () => {
  for (const path of ['/openai', '/gemini/v1/x', '/v1/chat', '/anthropic-fans/v1/x'])
    expect(meantPath(path)).toBe(path);
});
