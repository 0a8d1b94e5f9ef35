import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInFeatures } from '../../../../generated/features.gen.ts';
import { parseTemplate, TemplateError } from '../../../../src/services/features/declaration.ts';
import { callerSchema } from '../../../../src/services/features/shapes.ts';
import { builtInTemplate, formOf, promptFile } from '../../../../src/services/features/task.ts';
import { root } from '../../../helpers/contract.ts';
import { errorOf } from '../../../helpers/vendor-gateway.ts';

describe('prompts', () => {
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
        const fields = Object.keys(feature.input['properties'] as object).filter(
          (field) => field !== 'schema',
        );
        for (const field of fields)
          expect(text).toMatch(new RegExp(`\\{\\{(trusted )?input\\.${field}\\}\\}`));
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
      [{ type: 'object', properties: {}, additionalProperties: { type: 'string' } }],
      [{ type: 'object', properties: { a: { type: 'object' } } }],
      [{ type: 'object', properties: { a: {} } }],
      [{ type: 'object', properties: { a: { type: 'array' } } }],
    ])('is left to words for %j', (open) => expect(formOf('x', open)).toBeUndefined());
  });
});

describe('caller schema', () => {
  const of = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

  /** A schema whose definitions each use the next one twice: small as text, and 2 to the power of `levels` when followed. */
  function doubling(levels: number) {
    const definitions = Array.from({ length: levels }, (_, n) => [
      `d${n}`,
      n === levels - 1
        ? { type: 'string' }
        : of({ a: { $ref: `#/$defs/d${n + 1}` }, b: { $ref: `#/$defs/d${n + 1}` } }),
    ]);
    return of({ top: { $ref: '#/$defs/d0' } }, { $defs: Object.fromEntries(definitions) });
  }

  function nested(levels: number): object {
    return levels === 0 ? { type: 'string' } : of({ a: nested(levels - 1) });
  }

  describe("a caller's schema", () => {
    it('checks data, with references followed and formats', async () => {
      const person = of({
        name: { type: 'string', minLength: 2 },
        mail: { type: 'string', format: 'email' },
      });
      const { validate, schema } = await callerSchema(
        of(
          { people: { type: 'array', items: { $ref: '#/$defs/person', description: 'Who came.' } } },
          { $defs: { person } },
        ),
        'input.schema',
      );
      expect(validate({ people: [{ name: 'Ada', mail: 'ada@example.com' }] })).toBe(true);
      expect(validate({ people: [{ name: 'A', mail: 'nobody' }] })).toBe(false);
      expect(validate.errors?.map(({ instancePath }) => instancePath)).toEqual([
        '/people/0/name',
        '/people/0/mail',
      ]);
      expect(schema).toEqual(
        of({ people: { type: 'array', items: { ...person, description: 'Who came.' } } }),
      );
    });

    it('is compiled once for the same text', async () => {
      const schema = () => of({ same: { type: 'integer' } });
      expect(await callerSchema(schema(), 's')).toBe(await callerSchema(schema(), 's'));
    });

    it('keeps the latest 64 only', async () => {
      const first = of({ first: { type: 'string' } });
      const kept = await callerSchema(first, 's');
      for (let n = 0; n < 64; n += 1) await callerSchema(of({ [`p${n}`]: { type: 'null' } }), 's');
      expect(await callerSchema(structuredClone(first), 's')).not.toBe(kept);
    });

    it.each([
      [of({ a: { type: 'string', pattern: '^(a+)+$' } }), 's.properties.a.pattern'],
      [of({}, { patternProperties: { '(a+)+$': {} } }), 's.patternProperties'],
      [of({ a: { type: 'array', uniqueItems: true } }), 's.properties.a.uniqueItems'],
      [of({ a: { $ref: 'http://169.254.169.254/x' } }), 's.properties.a.$ref'],
      [of({ a: { $ref: 'file:///etc/passwd' } }), 's.properties.a.$ref'],
      [of({ a: { $ref: '#' } }), 's.properties.a.$ref'],
      [of({ a: { $ref: '#/$defs/none' } }), 's.properties.a.$ref'],
      [of({ a: { $ref: '#/$defs/constructor' } }, { $defs: {} }), 's.properties.a.$ref'],
      [of({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/a' } } }), 's.$defs.a.$ref'],
      [of({ a: { $dynamicRef: '#x' } }), 's.properties.a.$dynamicRef'],
      [of({ a: { $id: 'http://x/' } }), 's.properties.a.$id'],
      [of({ a: { nullable: true } }), 's.properties.a.nullable'],
      [of({ a: { type: 'string', format: 'regex' } }), 's.properties.a.format'],
      [of({ a: { type: 'text' } }), 's.properties.a.type'],
      [{ type: 'string' }, 's.type'],
      [{}, 's.type'],
      [of({ a: { type: 'string', maxLength: -1 } }), 's.properties.a.maxLength'],
      [JSON.parse('{"type":"object","properties":{"__proto__":{}}}'), 's.properties.__proto__'],
    ])('is refused, by its path: %j', async (schema, path) => {
      const error = await errorOf(callerSchema(schema, 's'));
      expect([error.code, error.param]).toEqual(['invalid_request', path]);
    });

    it('is refused when it grows beyond its limits, however small it is as text', async () => {
      expect((await errorOf(callerSchema(doubling(11), 's'))).message).toContain('more than 500 subschemas');
      expect((await errorOf(callerSchema(nested(12) as never, 's'))).message).toContain(
        'more than 12 levels',
      );
      await expect(callerSchema(nested(11) as never, 's')).resolves.toBeDefined();
      const long = of({ a: { type: 'string', description: 'x'.repeat(33_000) } });
      expect((await errorOf(callerSchema(long, 's'))).message).toContain('32768 bytes');
    });

    it('cannot reach code through its names and values', async () => {
      const names = [
        'a"];process.exit(1);//',
        "');throw 1;('",
        `\`$` + '{process.exit(1)}`',
        '\u2028',
        'constructor',
      ];
      const properties = Object.fromEntries(names.map((name) => [name, { enum: [name], default: name }]));
      const { validate } = await callerSchema(
        of(properties, { required: names, additionalProperties: false }),
        's',
      );
      expect(validate(Object.fromEntries(names.map((name) => [name, name])))).toBe(true);
      expect(validate({ other: 1 })).toBe(false);
    });
  });
});
