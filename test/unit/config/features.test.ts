import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { problemsOf, readWithFile } from './helpers.ts';

describe('features', () => {
  const whole = `features:
  ticket-triage:
    name: Ticket triage
    input:
      type: object
      required: [ticket]
      properties:
        ticket: { $ref: '#/$defs/text' }
      $defs:
        text: { type: string, minLength: 1 }
    output:
      type: object
      required: [team]
      properties:
        team: { type: string, enum: [sales, support] }
    prompt: 'Which team takes it? {{input.ticket}}'
    temperature: 0.2
    examples:
      - input: { ticket: It is broken. }
        output: { team: support }
`;

  /** The problems of the file with one text replaced by another. */
  function problemsWith(text: string, other: string): Promise<readonly string[]> {
    expect(whole).toContain(text);
    return problemsOf(readWithFile(whole.replace(text, other)));
  }

  describe('features in the file', () => {
    it('are read, with defaults, and their references followed', async () => {
      const { features } = await readWithFile(whole);
      expect(features).toEqual([
        {
          id: 'ticket-triage',
          name: 'Ticket triage',
          summary: 'Ticket triage',
          description: 'Ticket triage',
          engines: ['model'],
          input: {
            type: 'object',
            required: ['ticket'],
            properties: { ticket: { type: 'string', minLength: 1 } },
          },
          output: expect.objectContaining({ required: ['team'] }),
          textOutput: null,
          maxTokens: 2048,
          prompt: 'Which team takes it? {{input.ticket}}',
          model: null,
          temperature: 0.2,
          examples: [
            {
              id: 'example1',
              summary: 'Example 1',
              input: { ticket: 'It is broken.' },
              output: { team: 'support' },
            },
          ],
        },
      ]);
      expect((await readWithFile('default_model: x')).features).toEqual([]);
    });

    it.each([
      [
        '{ type: string, minLength: 1 }',
        '{ type: text }',
        'file:10:23: features.ticket-triage.input.$defs.text.type: no valid JSON Schema',
      ],
      [
        'minLength: 1',
        'minLenght: 1',
        'file:10:42: features.ticket-triage.input.$defs.text.minLenght: no valid JSON Schema: is a keyword that is not supported.',
      ],
      [
        '#/$defs/text',
        '#/$defs/txt',
        'file:8:25: features.ticket-triage.input.properties.ticket.$ref: no valid JSON Schema: names `txt`, which is not in `$defs`.',
      ],
      [
        '#/$defs/text',
        'other.yaml',
        'file:8:25: features.ticket-triage.input.properties.ticket.$ref: no valid JSON Schema: must name a definition of this schema',
      ],
      [
        'enum: [sales, support]',
        'format: team',
        'file:15:39: features.ticket-triage.output.properties.team.format: no valid JSON Schema: must be one of date',
      ],
      [
        'required: [team]',
        'required: team',
        'file:13:17: features.ticket-triage.output.required: no valid JSON Schema: must be array.',
      ],
      [
        '{{input.ticket}}',
        '{{input.tickt}}',
        'file:16:13: features.ticket-triage.prompt: `{{input.tickt}}` names no field of the input; expected one of input, input.ticket.',
      ],
      [
        '{ ticket: It is broken. }',
        '{ ticket: 5 }',
        'file:19:26: features.ticket-triage.examples.0.input.ticket: must be string, by the schema of the input.',
      ],
      [
        '{ team: support }',
        '{ team: it }',
        'file:20:25: features.ticket-triage.examples.0.output.team: must be equal to one of the allowed values, by the schema of the output.',
      ],
      [
        'temperature: 0.2',
        'text_output: tema',
        'file:17:18: features.ticket-triage.text_output: expected the only field of the output, with the type `string`.',
      ],
      [
        'temperature: 0.2',
        'temperature: 3',
        'file:17:18: features.ticket-triage.temperature: expected a number from 0 to 2.',
      ],
      ['temperature: 0.2', 'engine: local', 'file:17:5: features.ticket-triage.engine: unknown key;'],
      ['ticket-triage:', 'Ticket:', 'file:2:3: features.Ticket: expected a feature id'],
      [
        'ticket-triage:',
        'summarize:',
        'file:2:3: features.summarize: a feature of this name is built in; expected another id.',
      ],
    ])('%j as %j is told with its line', async (text, other, problem) => {
      const [first = ''] = await problemsWith(text, other);
      expect(first.slice(0, problem.length)).toBe(problem);
    });

    it('name a model that there is', async () => {
      const withModel = whole.replace('temperature: 0.2', 'model: gtp-4');
      const provider = 'providers:\n  groq:\n    base_url: http://localhost:1\n    patterns: [gpt-*]\n';
      const [problem] = await problemsOf(readWithFile(withModel + provider));
      expect(problem).toMatch(/^file:17:12: features\.ticket-triage\.model: no model answers to `gtp-4`;/);
    });
  });
});

describe('sign in', () => {
  const read = (text: string, env: Record<string, string> = {}) =>
    readConfig({ SWITCHYARD_CONFIG: 'file', ...env }, async () => text);
  const issuer = (rest: string) =>
    `sign_in:\n  oidc:\n    - id: corp\n      issuer: https://id.example\n      client_id: us\n${rest}`;
  const rules = '      rules: [{ claim: groups, value: admins, role: owner }]\n';

  describe('an issuer', () => {
    it('is read with its secret from the environment, which is not shown', async () => {
      const secret = 'a secret of the client';
      const config = await read(issuer(`      client_secret: \${CORP_SECRET}\n${rules}`), {
        CORP_SECRET: secret,
      });
      expect(config.signIn.oidc[0]).toMatchObject({
        id: 'corp',
        name: 'corp',
        scopes: ['openid', 'profile', 'email'],
        rules: [{ claim: 'groups', value: 'admins', role: 'owner', tenant: null }],
      });
      expect(config.signIn.oidc[0]?.clientSecret?.reveal()).toBe(secret);
      expect(JSON.stringify(config)).not.toContain(secret);
    });

    it.each<[string, string, string]>([
      ['with a secret that is not set', issuer(`      client_secret: \${NONE}\n${rules}`), 'NONE is not set'],
      ['without rules', issuer(''), 'expected the key `rules`'],
      ['without a single rule', issuer('      rules: []\n'), 'a list of rules, at least one'],
      [
        'that lets anybody be an owner',
        issuer('      rules: [{ claim: sub, role: owner }]\n'),
        'has a `value`',
      ],
      [
        'that lets anybody be a member',
        issuer('      rules: [{ claim: sub, role: member, tenant: acme }]\n'),
        'expected `value` beside `tenant`',
      ],
      ['without TLS', issuer(rules).replace('https:', 'http:'), 'an https address'],
      [
        'of tokens without a tenant',
        'sign_in:\n  jwt:\n    - { id: a, issuer: "https://id.example", audience: us }\n',
        'expected either `tenant` or `tenant_claim`',
      ],
    ])('%s stops the start', async (_what, text, problem) => {
      await expect(read(text)).rejects.toThrow(problem);
    });
  });

  describe('passwords', () => {
    it('can be switched off only where an owner gets in otherwise', async () => {
      const off = { PASSWORD_SIGN_IN: 'off' };
      expect((await read(issuer(rules), off)).passwordSignIn).toBe('off');
      await expect(read('', off)).rejects.toThrow('PASSWORD_SIGN_IN is "off"');
      await expect(read(issuer(rules.replace('owner', 'viewer')), off)).rejects.toThrow('role `owner`');
    });
  });
});
