import { describe, expect, it } from 'vitest';
import type { Warning } from '../../../../../generated/types.gen.ts';
import { ServiceError } from '../../../../../src/contract/errors.ts';
import { judgeFields, maxRefused, maxWarnings } from '../../../../../src/gateway/wires/fields/table.ts';
import { toldOnce, withNamesOnWire } from '../../../../../src/gateway/wires/own-names.ts';
import type { VendorWire } from '../../../../../src/model/parts.ts';
import { wireJson } from '../../../../helpers/vendor-fixtures.ts';

type Body = Readonly<Record<string, unknown>>;

function codes(wire: VendorWire, target: VendorWire, body: Body): string[] {
  return judgeFields(wire, target, body).map(({ code, param }) => `${code} ${param}`);
}

function refused(wire: VendorWire, target: VendorWire, body: Body): ServiceError {
  try {
    judgeFields(wire, target, body);
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  throw new Error('the request was not refused');
}

const user = (content: unknown) => ({ role: 'user', content });

describe('what the client is told', () => {
  it('one warning for a field, however often it is there, and where else it is', () => {
    const part = { type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } };
    const body = {
      messages: [user([part, part]), user([part])],
      system: [{ ...part }],
    };
    expect(judgeFields('anthropic', 'openai-chat', body)).toEqual([
      {
        code: 'field_dropped',
        message:
          'It is left out, as the request is translated to OpenAI Chat Completions. Other vendors cache by themselves; the prompt stays the same byte for byte, so that they can.',
        param: 'messages[].content[].cache_control',
      },
      {
        code: 'field_dropped',
        message:
          'It is left out, as the request is translated to OpenAI Chat Completions. Other vendors cache by themselves.',
        param: 'system[].cache_control',
      },
    ]);
  });

  it('the exact place of what is refused, all at once, and why', () => {
    const body = {
      messages: [
        user('Hello'),
        user([
          { type: 'text', text: 'a' },
          { type: 'input_audio', input_audio: {} },
        ]),
      ],
      seed: 7,
      top_k: 40,
    };
    const error = refused('openai-chat', 'anthropic', body);
    expect(error.code).toBe('invalid_request');
    expect(error.param).toBe('messages[1].content[1]');
    expect(error.message).toBe(
      'messages[1].content[1]: type "input_audio" cannot be translated to Anthropic Messages, over which the model is reached. The wire takes no audio.',
    );
    expect(error.details.map((detail) => detail.path)).toEqual(['messages[1].content[1]', 'seed']);
    expect(error.details.map(({ code }) => code)).toEqual(['untranslatable', 'untranslatable']);
  });

  it('fields that no table has', () => {
    const body = { messages: [{ ...user('Hello'), mood: 'good' }], seeds: 7, seed: 7 };
    expect(codes('openai-chat', 'gemini', body)).toEqual([
      'unknown_field_dropped messages[].mood',
      'unknown_field_dropped seeds',
    ]);
  });

  it('kinds of parts and tools that no table has', () => {
    const body = { messages: [user([{ type: 'hologram' }])], tools: [{ type: 'telepathy_20300101' }] };
    const { details } = refused('anthropic', 'gemini', body);
    expect(details.map((detail) => detail.path)).toEqual(['messages[0].content[0].type', 'tools[0].type']);
    expect(details[0]?.message).toContain('"hologram" is not known here');
  });

  it('nothing of what is carried over as a whole', () => {
    const parameters = { type: 'object', properties: { cache_control: { type: 'string' } }, zzz: 1 };
    const tools = [{ type: 'function', function: { name: 'add', parameters } }];
    expect(codes('openai-chat', 'anthropic', { tools })).toEqual([]);
  });

  it('nothing where a field is null, empty, or says what holds anyway', () => {
    const body = {
      n: 1,
      seed: null,
      logit_bias: {},
      stop: [],
      store: false,
      modalities: ['text'],
      metadata: null,
    };
    expect(codes('openai-chat', 'openai-responses', body)).toEqual([]);
  });

  it("both of Google's ways to write a field", () => {
    const snake = {
      system_instruction: { parts: [{ inline_data: { mime_type: 'a', data: '' } }] },
      cached_content: 'a',
    };
    expect(refused('gemini', 'anthropic', snake).details.map((detail) => detail.path)).toEqual([
      'cached_content',
    ]);
    expect(codes('gemini', 'anthropic', { generation_config: { topK: 1, top_p: 1 } })).toEqual([]);
  });
});

describe('what is hostile', () => {
  it('has no more warnings than there may be, and names of no more than a line', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field_${index}`, 1]));
    expect(judgeFields('openai-chat', 'gemini', many)).toHaveLength(maxWarnings);
    const [warning] = judgeFields('openai-chat', 'gemini', { [`a\r\n${'b'.repeat(100_000)}`]: 1 });
    expect(warning?.param).toMatch(/^a b{61}…$/);
  });

  it('is told of no more refused fields than there may be', () => {
    const tools = Array.from({ length: 1000 }, () => ({ type: 'web_search_20250305' }));
    expect(refused('anthropic', 'gemini', { tools }).details).toHaveLength(maxRefused);
  });

  it('cannot reach what objects inherit', () => {
    const body = JSON.parse(
      '{"__proto__": {"seed": 1}, "constructor": 1, "toString": 2, "messages": [{"role": "__proto__"}]}',
    );
    expect(codes('openai-chat', 'anthropic', body)).toEqual([
      'unknown_field_dropped __proto__',
      'unknown_field_dropped constructor',
      'unknown_field_dropped toString',
    ]);
  });

  it('is followed no deeper than the table goes', () => {
    let deep: unknown = 'a';
    for (let depth = 0; depth < 100_000; depth += 1) deep = depth % 2 ? [deep] : { content: deep };
    const body = { messages: deep, zzz: deep, tools: [{ function: { parameters: deep } }], input: deep };
    expect(codes('openai-chat', 'anthropic', body)).toContain('unknown_field_dropped zzz');
  });

  it('is read once: each field of the body, and the type of an object once more', () => {
    const reads = new Map<string, number>();
    const counted = (value: object): object =>
      new Proxy(value, {
        get(target, key) {
          const found: unknown = Reflect.get(target, key);
          if (typeof key === 'string') reads.set(key, (reads.get(key) ?? 0) + 1);
          return typeof found === 'object' && found ? counted(found) : found;
        },
      });
    const part = { type: 'text', text: 'a' };
    const messages = Array.from({ length: 100 }, () => ({ role: 'user', content: [part] }));
    judgeFields('openai-chat', 'anthropic', counted({ messages, temperature: 1 }) as Body);
    expect(reads.get('temperature')).toBe(1);
    expect(reads.get('text')).toBe(100);
    expect(reads.get('content')).toBe(100);
    expect(reads.get('type')).toBe(200);
  });
});

describe('the rules of translation', () => {
  it.each(['openai-chat', 'openai-responses', 'gemini'] as const)(
    'cache_control is dropped towards %s',
    (target) => {
      expect(codes('anthropic', target, { tools: [{ name: 'a', cache_control: {} }] })).toEqual([
        'field_dropped tools[].cache_control',
      ]);
    },
  );

  it.each([
    ['openai-chat', { n: 2 }, 'n'],
    ['openai-chat', { logprobs: true }, 'logprobs'],
    ['openai-chat', { logit_bias: { 1: 1 } }, 'logit_bias'],
    ['openai-chat', { seed: 1 }, 'seed'],
    ['openai-chat', { store: true }, 'store'],
    ['openai-chat', { web_search_options: {} }, 'web_search_options'],
    ['openai-responses', { store: true }, 'store'],
    ['openai-responses', { background: true }, 'background'],
    ['openai-responses', { previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['openai-responses', { conversation: 'conv_1' }, 'conversation'],
    ['openai-responses', { include: ['message.output_text.logprobs'] }, 'include[0]'],
    ['openai-responses', { input: [{ type: 'item_reference', id: 'a' }] }, 'input[0]'],
    ['gemini', { cachedContent: 'cachedContents/1' }, 'cachedContent'],
    ['gemini', { generationConfig: { candidateCount: 2 } }, 'generationConfig.candidateCount'],
    ['gemini', { tools: [{ googleSearch: {} }] }, 'tools[0].googleSearch'],
  ] as const)('%s: %j is refused towards Anthropic', (wire, body, param) => {
    expect(refused(wire, 'anthropic', body).param).toBe(param);
  });

  it.each([
    ['mcp_servers', [{ type: 'url', name: 'a', url: 'https://example.com' }]],
    ['container', 'container_1'],
    ['inference_geo', 'eu'],
  ])('anthropic: %s is refused towards OpenAI', (name, value) => {
    expect(refused('anthropic', 'openai-responses', { [name]: value }).param).toBe(name);
  });

  it('what labels a request is carried over where the wire has a place for it', () => {
    const body = { metadata: { user_id: 'a' } };
    expect(codes('anthropic', 'openai-chat', body)).toEqual([]);
    expect(codes('anthropic', 'gemini', body)).toEqual(['field_dropped metadata.user_id']);
    expect(codes('openai-chat', 'anthropic', { user: 'a', metadata: { a: 'b' } })).toEqual([
      'field_dropped metadata',
    ]);
  });

  it('a failed tool, a role of developers and a tool of free text are carried over', () => {
    const result = { type: 'tool_result', tool_use_id: 'a', is_error: true, content: 'No.' };
    expect(codes('anthropic', 'openai-chat', { messages: [user([result])] })).toEqual([]);
    expect(codes('openai-chat', 'anthropic', { messages: [{ role: 'developer', content: 'a' }] })).toEqual(
      [],
    );
    expect(codes('openai-responses', 'gemini', { tools: [{ type: 'custom', name: 'a' }] })).toEqual([]);
  });
});

describe('the first request of a coding agent', () => {
  it.each([
    ['codex', 'openai-responses'],
    ['claude-code', 'anthropic'],
    ['gemini-cli', 'gemini'],
  ] as const)('%s is refused towards no wire, and every field of it is known', (agent, wire) => {
    const body = wireJson(`agents/${agent}`) as Body;
    const told = (['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const).flatMap((target) =>
      judgeFields(wire, target, body),
    );
    expect(told.filter(({ code }) => code !== 'field_dropped')).toEqual([]);
  });
});

describe('warnings name paths of the request', () => {
  it.each<[VendorWire, VendorWire, Body, string[]]>([
    // As it was seen in a header on 2026-11-27: response_format_type_json_schema_.json_schema.name.
    [
      'openai-chat',
      'anthropic',
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'answer', schema: { type: 'object' } },
        },
      },
      ['response_format.json_schema.name'],
    ],
    [
      'openai-responses',
      'anthropic',
      {
        input: [
          {
            type: 'message',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'Hi', annotations: [{}] }],
          },
        ],
      },
      ['input[].content[].annotations'],
    ],
    [
      'gemini',
      'anthropic',
      { toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } } },
      ['toolConfig.functionCallingConfig.mode'],
    ],
  ])('of %s towards %s %j: %j', (wire, target, body, params) => {
    expect(judgeFields(wire, target, body).map(({ param }) => param)).toEqual(params);
  });

  it('and the kind of object or the value that is left out', () => {
    const body = { toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } } };
    expect(judgeFields('gemini', 'anthropic', body)[0]?.message).toMatch(
      /^The value "VALIDATED" is left out/,
    );
  });
});

describe('a member that no table knows', () => {
  it.each([null, [], undefined])('and that says nothing (%j) needs no warning', (value) => {
    const message = { role: 'assistant', content: 'Hi', parsed: value };
    expect(codes('openai-chat', 'anthropic', { messages: [message], novel: value })).toEqual([]);
    expect(codes('openai-chat', 'anthropic', { messages: [{ ...message, parsed: {} }] })).toEqual([
      'unknown_field_dropped messages[].parsed',
    ]);
  });
});

it('of the sandbox nothing is refused, and what no wire could be told is left out, which the client is told', () => {
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }, { type: 'novel' }];
  const body = {
    messages: [user([{ type: 'text', text: 'Hi', cache_control: {} }]), user([{ type: 'novel' }])],
    temperature: 0.5,
    tools,
    inference_geo: 'eu',
    service_tier: 'auto',
    unheard_of: 1,
  };
  expect(judgeFields('anthropic', null, body)).toEqual([
    expect.objectContaining({ code: 'field_dropped', param: 'messages[].content[].cache_control' }),
    expect.objectContaining({ code: 'unknown_field_dropped', param: 'messages[].content[].type' }),
    expect.objectContaining({
      code: 'field_dropped',
      param: 'tools[]',
      message: expect.stringMatching(/^What is of type "web_search_20250305" is left out/),
    }),
    expect.objectContaining({ code: 'unknown_field_dropped', param: 'tools[].type' }),
    {
      code: 'field_dropped',
      param: 'inference_geo',
      message:
        'It is left out, as the sandbox has nothing of the kind. Where the model runs cannot be promised at another vendor.',
    },
    expect.objectContaining({ code: 'unknown_field_dropped', param: 'unheard_of' }),
  ]);
});

describe('warnings', () => {
  const warning = (code: Warning['code'], param: string | null): Warning => ({
    code,
    message: 'It is left out.',
    param,
  });

  describe('warnings of a translated request', () => {
    it('tell of each field once, as the client calls it', () => {
      const judged = [
        warning('field_dropped', 'text.verbosity'),
        warning('field_dropped', 'generationConfig.topK'),
        warning('field_dropped', 'metadata.user_id'),
        warning('unknown_field_dropped', 'zzz'),
      ];
      const adapted = [
        warning('parameter_ignored', 'verbosity'),
        warning('parameter_ignored', 'top_k'),
        warning('parameter_ignored', 'user'),
        warning('parameter_ignored', 'service_tier'),
        warning('content_adapted', 'verbosity'),
        warning('temperature_ignored', null),
      ];
      expect(toldOnce(judged, adapted)).toEqual([...judged, ...adapted.slice(3)]);
    });

    it('are those of the adapter where the table has none', () => {
      const adapted = [warning('parameter_ignored', 'verbosity')];
      expect(toldOnce([], adapted)).toBe(adapted);
    });
  });

  describe('warnings of an adapter', () => {
    const named = (param: string, wire: VendorWire, body = {}) =>
      withNamesOnWire([warning('parameter_ignored', param)], wire, body).map((told) => told.param);

    it.each<[string, VendorWire, object, string]>([
      ['temperature', 'gemini', {}, 'generationConfig.temperature'],
      ['temperature', 'anthropic', {}, 'temperature'],
      ['messages', 'openai-responses', {}, 'input'],
      ['messages', 'gemini', {}, 'contents'],
      ['max_tokens', 'openai-responses', {}, 'max_output_tokens'],
      ['max_tokens', 'openai-chat', { max_completion_tokens: 5 }, 'max_completion_tokens'],
      ['max_tokens', 'openai-chat', { max_tokens: 5 }, 'max_tokens'],
      ['thinking', 'anthropic', { output_config: { effort: 'max' } }, 'output_config.effort'],
      ['thinking', 'anthropic', { thinking: { type: 'enabled' } }, 'thinking'],
      [
        'response_format',
        'gemini',
        { generationConfig: { responseSchema: {} } },
        'generationConfig.responseSchema',
      ],
      ['disable_parallel_tool_use', 'openai-chat', {}, 'parallel_tool_calls'],
      ['constructor', 'gemini', {}, 'constructor'],
    ])('call %s of a client on %s with %j: %s', (own, wire, body, expected) => {
      expect(named(own, wire, body)).toEqual([expected]);
    });

    it('that are about no field stay so', () => {
      expect(withNamesOnWire([warning('temperature_ignored', null)], 'gemini', {})).toEqual([
        warning('temperature_ignored', null),
      ]);
    });
  });
});
