import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readContract } from '../../../scripts/clients/contract.ts';
import { isForeign, operationsOf } from '../../../src/contract/served/document.ts';
import { contract } from '../../helpers/contract.ts';

/** Makes a library where no program is installed at all. */
function makeWithoutPrograms(language: string, env: Record<string, string>) {
  const empty = mkdtempSync(path.join(tmpdir(), 'switchyard-no-programs-'));
  onTestFinished(() => rmSync(empty, { recursive: true }));
  const { status, stderr } = spawnSync(process.execPath, ['scripts/clients.ts', language], {
    env: { PATH: empty, ...env },
    encoding: 'utf8',
  });
  return { status, stderr };
}

const words = 'python: NOT made, as python3 must be installed for it\n';

it('says which program a library lacks', () => {
  expect(makeWithoutPrograms('python', {})).toEqual({ status: 0, stderr: words });
});

it('fails for it in continuous integration', () => {
  expect(makeWithoutPrograms('python', { CI: '1' })).toEqual({ status: 1, stderr: words });
});

it('is made of our own interface: foreign operations and what is only theirs are left out', () => {
  const made = readContract();
  const own = operationsOf(contract).filter(({ operation }) => !isForeign(operation));
  expect(operationsOf(made).map(({ id }) => id)).toEqual(own.map(({ id }) => id));

  const text = JSON.stringify(made);
  const referred = [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)];
  expect(referred.length).toBeGreaterThan(500);
  expect(
    referred.filter(([, section = '', name = '']) => made.components[section]?.[name] === undefined),
  ).toEqual([]);
  const { components, tags } = made;
  expect(Object.keys(components.schemas)).not.toContain('ChatCompletionRequest');
  expect(Object.keys(components.schemas)).toContain('ChatRequest');
  expect(Object.keys(components.responses)).not.toContain('OpenAiFailure');
  expect(tags.map(({ name }) => name)).not.toContain('OpenAI interface');
  expect(Object.keys(components['securitySchemes'] ?? {}).sort()).toEqual([
    'adminBearer',
    'adminSession',
    'apiKeyAuth',
    'bearerAuth',
    'metricsAccess',
  ]);
  expect(made.paths['/v1/models']?.['get']?.security).toEqual([{ bearerAuth: ['chat'] }]);
});

it('has the content of messages as a text, since a union would be another type for callers', () => {
  const { schemas } = readContract().components;
  const { ChatMessage: message } = schemas as Record<string, { properties: Record<string, object> }>;
  expect(message?.properties['content']).toMatchObject({ type: ['string', 'null'], maxLength: 1048576 });
  expect(message?.properties['content']).not.toHaveProperty('oneOf');
  expect(Object.keys(schemas)).not.toContain('ChatParts');
  expect(Object.keys(schemas)).not.toContain('ChatImagePart');
});
