import type { Page } from '../http/page.ts';

/**
 * `/api/hello`: what Claude Code asks for at its start, to have a connection ready, and takes as the sign that there is a server
 * (https://code.claude.com/docs/en/llm-gateway-protocol).
 */
export const helloPage: Page = {
  path: '/api/hello',
  file: true,
  render: () => ({ status: 200, mediaType: 'application/json; charset=utf-8', body: '{"message":"hello"}' }),
};
