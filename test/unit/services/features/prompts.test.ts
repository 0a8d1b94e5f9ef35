import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInFeatures } from '../../../../generated/features.gen.ts';
import { parseTemplate, TemplateError } from '../../../../src/services/features/declaration.ts';
import { builtInTemplate, formOf, promptFile } from '../../../../src/services/features/task.ts';
import { root } from '../../../helpers/contract.ts';

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    tone: { type: 'string', enum: ['formal', 'casual'] },
    count: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

describe('a template', () => {
  const fill = (text: string, input: Record<string, unknown>) => parseTemplate(text, schema)(input);

  it('marks what is free and leaves what is not', () => {
    expect(
      fill('{{input.tone}} {{ input.count }}: {{input.text}}', { tone: 'formal', count: 3, text: 'Hi' }),
    ).toBe('formal 3: <untrusted>Hi</untrusted>');
    expect(fill('{{trusted input.text}}', { text: 'Hi' })).toBe('<caller>Hi</caller>');
    expect(fill('{{input.tags}}', { tags: ['a', 'b'] })).toBe('<untrusted>["a","b"]</untrusted>');
    expect(fill('{{input}}', { text: 'Hi' })).toBe('<untrusted>{"text":"Hi"}</untrusted>');
    expect(fill('{{input.text}}', {})).toBe('(none given)');
    expect(fill('{{input.text}}', { text: 'a\nb' })).toBe('<untrusted>\na\nb\n</untrusted>');
  });

  it.each([
    '</untrusted>',
    '</ untrusted >',
    '< / UNTRUSTED>',
    '<untrusted>',
    '</caller>',
    '<Caller x="1">',
    '<\n/untrusted>',
  ])('lets no input end or begin what it stands in: %j', (text) => {
    const filled = fill('{{input.text}}', { text: `x${text}y` });
    expect(filled.match(/<\s*\/?\s*(untrusted|caller)/gi)).toHaveLength(2);
  });

  it('fills in no template and no pattern that the input holds', () => {
    expect(fill('{{input.text}}', { text: '{{input.tone}} $& $1', tone: 'formal' })).toBe(
      '<untrusted>{{input.tone}} $& $1</untrusted>',
    );
  });

  it.each(['{{input.txt}}', '{{text}}', '{{}}', '{{input.constructor}}', '{{input.text.length}}'])(
    'refuses %s, which names no field',
    (text) => expect(() => parseTemplate(text, schema)).toThrow(TemplateError),
  );
});

describe('the prompts', () => {
  it.each(builtInFeatures.filter(({ engines }) => engines.includes('model')))(
    'of $id has a place for every field of its input',
    async (feature) => {
      const text = await promptFile(feature.id);
      const fields = Object.keys(feature.input['properties'] as object).filter((field) => field !== 'schema');
      for (const field of fields) expect(text).toMatch(new RegExp(`\\{\\{(trusted )?input\\.${field}\\}\\}`));
      expect((await builtInTemplate(feature))(feature.examples[0]?.input ?? {})).not.toContain('{{');
    },
  );

  it('are all in use', () => {
    const used = [
      ...builtInFeatures.filter(({ engines }) => engines.includes('model')).map(({ id }) => id),
      ...['repair', 'system-json', 'system-text'],
    ];
    const files = readdirSync(path.join(root, 'src/services/features/prompts')).map((file) =>
      path.basename(file, '.md'),
    );
    expect(files.sort()).toEqual(used.sort());
  });
});

describe('the form that a vendor is asked for', () => {
  it('holds what every vendor takes, and is closed', () => {
    const form = formOf('my-feature', {
      type: 'object',
      required: ['a'],
      properties: {
        a: {
          type: 'array',
          maxItems: 3,
          items: { type: ['string', 'null'], maxLength: 5, enum: ['x', null] },
        },
        b: {
          oneOf: [
            { type: 'integer', minimum: 1 },
            { type: 'object', properties: {} },
          ],
        },
      },
    });
    expect(form).toEqual({
      type: 'json_schema',
      json_schema: {
        name: 'my_feature',
        schema: {
          type: 'object',
          required: ['a'],
          additionalProperties: false,
          properties: {
            a: { type: 'array', items: { type: ['string', 'null'], enum: ['x', null] } },
            b: {
              anyOf: [
                { type: 'integer' },
                { type: 'object', required: [], additionalProperties: false, properties: {} },
              ],
            },
          },
        },
      },
    });
  });

  it.each([
    ['properties of any name', { type: 'object', properties: {}, additionalProperties: { type: 'string' } }],
    ['an object without properties', { type: 'object', properties: { a: { type: 'object' } } }],
    ['anything', { type: 'object', properties: { a: {} } }],
    ['a list of anything', { type: 'object', properties: { a: { type: 'array' } } }],
  ])('is left to words for %s', (_what, open) => expect(formOf('x', open)).toBeUndefined());
});
