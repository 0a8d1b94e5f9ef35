/** The client libraries, and the samples that show them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readContract } from '../../../scripts/clients/contract.ts';
import { printedIn, programOf } from '../../../scripts/clients/programs.ts';
import { isForeign, operationsOf } from '../../../src/contract/served/document.ts';
import { contract } from '../../helpers/contract.ts';
import { testEvery } from '../../helpers/test-every.ts';

const groups = contract['x-tagGroups'] as { name: string; tags: string[] }[];
const tags = groups.filter(({ name }) => name.endsWith(' interface')).flatMap((group) => group.tags);
const operations = operationsOf(contract).filter(
  ({ operation }) => tags.includes(operation.tags[0]) && !isForeign(operation),
);

/** The operations of the chat and the factory interface without a program that begins so in a language. */
function without(lang: string, beginning: RegExp): string[] {
  const lacks = operations.filter(({ operation }) => {
    const samples = (operation['x-codeSamples'] ?? []).filter((sample) => sample.lang === lang);
    return samples.length !== 1 || !beginning.test(samples[0]?.source ?? '');
  });
  return lacks.map(({ id }) => id);
}

it('shows every operation of both interfaces with the libraries', () => {
  expect(operations.length).toBeGreaterThan(35);
  expect(without('curl', /^(?:# .*\n)?curl /)).toEqual([]);
  expect(without('JavaScript', /^import [^;]* from '@switchyard\/client';$/m)).toEqual([]);
  // The second name of another operation has no method of its own.
  expect(without('Python', /^from switchyard import /m)).toEqual(['createChatAlias']);
  expect(
    without(
      'Go',
      /^package main\n\nimport \(\n(?:\t"\w+"\n)+\n\t"github\.com\/[^\n]*"\n\)\n\nfunc main\(\) \{\n/,
    ),
  ).toEqual([]);
  expect(without('Ruby', /^require 'switchyard'$/m)).toEqual([]);
  expect(
    without('PHP', /^<\?php\n\n(?:use [^\n]*;\n)+\nrequire [^\n]*;\n\n\$switchyard = new Switchyard\(/),
  ).toEqual([]);
  expect(
    without('Java', /^(?:import [^\n]*;\n)+\npublic class [A-Z]\w+ \{\n {4}public static void main\(/),
  ).toEqual([]);
});

const libraries = {
  JavaScript: 'javascript',
  Python: 'python',
  Go: 'go',
  Ruby: 'ruby',
  PHP: 'php',
  Java: 'java',
};

testEvery(
  'prints the programs in each language as the live tests run them',
  ['Go', 'Ruby', 'PHP', 'Java'] as const,
  (lang) => {
    const run = new Map(printedIn(libraries[lang]).map(({ operationId, source }) => [operationId, source]));
    const differing = operations.filter(
      ({ id, operation }) =>
        operation['x-codeSamples']?.find((sample) => sample.lang === lang)?.source !== run.get(id),
    );
    expect(differing.map(({ id }) => id)).toEqual([]);
  },
);

it('shows nothing in the guide of the libraries but programs that the live tests run', async () => {
  const guide = await readFile(new URL('../../../docs/guides/client-libraries.md', import.meta.url), 'utf8');
  const shown = [...guide.matchAll(/^<!-- begin sample (\w+) \w+ -->\n\n```\w+\n(.*?)\n```$/gms)];
  expect(new Set(shown.map(([, language]) => language))).toEqual(new Set(Object.values(libraries)));
  const unknown = shown.filter(
    ([, language = '', source]) => !printedIn(language).some((program) => program.source === source),
  );
  expect(unknown.map(([, language]) => language)).toEqual([]);
});

it('puts a call of every language into a whole program', () => {
  const start = { title: '', source: 'a := b.C()' };
  const go = programOf('go', 'getIt', [
    start,
    { title: 'Once', source: 'x := "studio.x"\n\nio.Copy(os.Stdout, x)' },
  ]);
  expect(go).toBe(
    'package main\n\nimport (\n\t"io"\n\t"os"\n\n\t"github.com/switchyard/switchyard-go"\n)\n\n' +
      'func main() {\n\ta := b.C()\n\n\t// Once\n\tx := "studio.x"\n\n\tio.Copy(os.Stdout, x)\n}',
  );
  const lines = [
    { title: '', source: 'use B;\n\n$b = new B();' },
    { title: 'Twice', source: 'use A;\nuse B;\n\n$a = 1;' },
  ];
  expect(programOf('php', 'getIt', lines)).toBe(
    "<?php\n\nuse A;\nuse B;\n\nrequire __DIR__ . '/vendor/autoload.php';\n\n$b = new B();\n\n// Twice\n$a = 1;",
  );
  expect(programOf('java', 'getIt', [{ title: '', source: 'import a.*;\n\nif (b) {\n    c();\n}' }])).toBe(
    'import a.*;\n\npublic class GetIt {\n    public static void main(String[] args) throws Exception {\n' +
      '        if (b) {\n            c();\n        }\n    }\n}',
  );
});

it('prints nothing of a test in a sample', () => {
  const sources = operations.flatMap(({ operation }) => operation['x-codeSamples'] ?? []);
  expect(sources.filter(({ source }) => /\bt\.(?:Fatal|Error)|\bassert|\bcheck\(/.test(source))).toEqual([]);
});

describe('a client library', () => {
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
});
