import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { fileSchema } from '../../../src/config/file-schema.ts';
import {
  fileFormats,
  fileValidator,
  isCompiledAhead,
  validatorOptions,
} from '../../../src/config/parse-file.ts';

const contents: readonly unknown[] = [
  {},
  [],
  { providers: { one: { base_url: 'http://127.0.0.1:1/v1', api_key: 'sk-1', patterns: ['gpt-*'] } } },
  { providers: { one: { base_url: 'no address', wire: 'morse' } }, unknown: 1 },
  {
    prices: { 'one/gpt': { prompt: -1, completion: 'much' } },
    plans: { free: { requests_per_minute: 0.5 } },
  },
  { trusted_proxies: ['10.0.0.0/99'], sign_in: { issuers: { own: { issuer: 'http://example.com' } } } },
];

it('is compiled ahead, and says of every content what it says compiled here', async () => {
  expect(isCompiledAhead()).toBe(true);
  const ahead = await fileValidator();
  const here = new Ajv2020({ ...validatorOptions, formats: fileFormats }).compile(fileSchema);
  const said = contents.map((content) => [ahead(content), ahead.errors]);
  expect(said).toEqual(contents.map((content) => [here(content), here.errors]));
  expect(said.map(([holds]) => holds)).toEqual([true, false, true, false, false, false]);
});
