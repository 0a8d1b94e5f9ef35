import type { Body } from '../../../../../../src/gateway/wires/wire.ts';
import type { UnroutedCall } from '../../../../../../src/model/port.ts';

/** Requests as clients send them, and what they mean. */
export const requests: Readonly<Record<string, { readonly body: Body; readonly call: UnroutedCall }>> = {
  'a text': {
    body: { model: 'm', input: 'Hello' },
    call: {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      temperatureGiven: false,
    },
  },
  'the settings': {
    body: {
      model: 'm',
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
      ],
      temperature: 0,
      top_p: 0.5,
      max_output_tokens: 100,
      reasoning: { effort: 'high', summary: 'auto' },
      text: {
        verbosity: 'low',
        format: {
          type: 'json_schema',
          name: 'answer',
          strict: true,
          schema: { type: 'object', properties: {} },
        },
      },
      safety_identifier: 'user-1',
      user: 'user-0',
      prompt_cache_key: 'key-1',
      service_tier: 'flex',
    },
    call: {
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
      temperature: 0,
      temperatureGiven: true,
      topP: 0.5,
      maxTokens: 100,
      thinking: { effort: 'high', shown: true },
      verbosity: 'low',
      responseFormat: {
        type: 'json_schema',
        json_schema: { name: 'answer', strict: true, schema: { type: 'object', properties: {} } },
      },
      user: 'user-1',
      promptCacheKey: 'key-1',
      serviceTier: 'flex',
    },
  },
  'images and files': {
    body: {
      model: 'm',
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'Compare.' },
            { type: 'input_image', image_url: 'data:image/PNG;base64,iVBORw0KGgo=', detail: 'low' },
            { type: 'input_image', image_url: 'https://a.test/b.png', detail: 'auto' },
            { type: 'input_image', file_id: 'file-1', detail: 'auto' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
            { type: 'input_file', file_url: 'https://a.test/a.pdf' },
            { type: 'input_file', filename: 'a.txt', file_data: 'aGVsbG8' },
          ],
        },
      ],
    },
    call: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Compare.' },
            {
              type: 'image',
              source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
              detail: 'low',
            },
            { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' }, detail: 'auto' },
            { type: 'image', source: { type: 'file', id: 'file-1' }, detail: 'auto' },
            {
              type: 'document',
              source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' },
              filename: 'a.pdf',
            },
            { type: 'document', source: { type: 'url', url: 'https://a.test/a.pdf' } },
            {
              type: 'document',
              source: { type: 'base64', mediaType: 'text/plain', data: 'aGVsbG8' },
              filename: 'a.txt',
            },
          ],
        },
      ],
      temperatureGiven: false,
    },
  },
  // As Codex 0.169 sends its second turn: the whole history, items without ids, a custom tool with a grammar.
  'a second turn of Codex': {
    body: {
      model: 'claude-sonnet-4-6',
      instructions: 'You are a coding agent.',
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: '<permissions>' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Create hello.txt.' }] },
        {
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: 'Easy.' }],
          content: null,
          encrypted_content: 'gAA=',
        },
        {
          type: 'custom_tool_call',
          status: 'completed',
          call_id: 'call_1',
          name: 'apply_patch',
          input: '*** Begin "a"',
        },
        {
          type: 'function_call',
          name: 'create_issue',
          namespace: 'mcp__tracker',
          arguments: '{"title":"x"}',
          call_id: 'call_2',
        },
        { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Success.' },
        {
          type: 'function_call_output',
          call_id: 'call_2',
          output: [
            { type: 'input_text', text: 'Created.' },
            { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
          ],
        },
      ],
      tools: [
        {
          type: 'function',
          name: 'exec_command',
          description: 'Runs a command.',
          strict: false,
          parameters: { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] },
        },
        {
          type: 'custom',
          name: 'apply_patch',
          description: 'Edits files.',
          format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
        },
        {
          type: 'namespace',
          name: 'mcp__tracker',
          description: 'Issues.',
          tools: [{ type: 'function', name: 'create_issue', parameters: { type: 'object' }, strict: false }],
        },
      ],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      reasoning: { effort: 'medium' },
      store: false,
      stream: true,
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: '0199-key',
      text: { verbosity: 'low' },
      client_metadata: { 'x-codex-installation-id': '1' },
    },
    call: {
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'You are a coding agent.' }] },
        { role: 'developer', content: [{ type: 'text', text: '<permissions>' }] },
        { role: 'user', content: [{ type: 'text', text: 'Create hello.txt.' }] },
        {
          role: 'assistant',
          content: [
            {
              type: 'thinking',
              text: 'Easy.',
              sealed: {
                wire: 'openai-responses',
                provider: null,
                model: null,
                value: {
                  type: 'reasoning',
                  summary: [{ type: 'summary_text', text: 'Easy.' }],
                  content: null,
                  encrypted_content: 'gAA=',
                },
              },
            },
            {
              type: 'tool_call',
              id: 'call_1',
              name: 'apply_patch',
              arguments: '*** Begin "a"',
              custom: true,
            },
            {
              type: 'tool_call',
              id: 'call_2',
              name: 'mcp__tracker__create_issue',
              arguments: '{"title":"x"}',
            },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool_result', callId: 'call_1', content: [{ type: 'text', text: 'Success.' }] },
            {
              type: 'tool_result',
              callId: 'call_2',
              content: [
                { type: 'text', text: 'Created.' },
                { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'aGk=' } },
              ],
            },
          ],
        },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'exec_command',
            description: 'Runs a command.',
            strict: false,
            parameters: { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] },
          },
        },
        {
          type: 'custom',
          custom: {
            name: 'apply_patch',
            description: 'Edits files.',
            format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
          },
        },
        {
          type: 'function',
          function: { name: 'mcp__tracker__create_issue', parameters: { type: 'object' }, strict: false },
        },
      ],
      toolChoice: 'auto',
      parallelToolCalls: true,
      temperatureGiven: false,
      thinking: { effort: 'medium' },
      promptCacheKey: '0199-key',
      verbosity: 'low',
    },
  },
  // As openai-agents sends an answer back: whole items with ids, status and annotations.
  'a second turn of the Agents SDK': {
    body: {
      model: 'm',
      input: [
        { role: 'user', content: 'Hi' },
        {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [
            {
              type: 'output_text',
              text: 'As told.',
              logprobs: [],
              annotations: [
                { type: 'url_citation', url: 'https://a.test/', title: 'A', start_index: 0, end_index: 8 },
              ],
            },
            { type: 'refusal', refusal: 'No more.' },
          ],
        },
        { id: 'rs_1', type: 'reasoning', summary: [] },
        { role: 'user', content: 'Go on.' },
      ],
    },
    call: {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        {
          role: 'assistant',
          content: [
            {
              type: 'text',
              text: 'As told.',
              citations: [{ url: 'https://a.test/', title: 'A', start: 0, end: 8 }],
            },
            { type: 'refusal', text: 'No more.' },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
      ],
      temperatureGiven: false,
    },
  },
};
