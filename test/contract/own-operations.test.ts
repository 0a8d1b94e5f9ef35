import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typesSource } from '../../scripts/generate/types.ts';
import { addAgents } from '../../src/contract/served/agent-operations.ts';
import { type Document, operationsOf, type Response, resolve } from '../../src/contract/served/document.ts';
import {
  type PublicDocuments,
  publicDocuments,
  withPlainParts,
} from '../../src/contract/served/documents.ts';
import { addFeatures } from '../../src/contract/served/feature-operations.ts';
import { agentOf } from '../helpers/agents.ts';
import { contract, root } from '../helpers/contract.ts';
import { replyDraft, ticketTriage } from '../helpers/vendor-answers.ts';

/** What a server with AI features and agents of its operator publishes: it has to be as good as the repository's contract. */
describe('own operations', () => {
  const run = promisify(execFile);
  /** Whether what is called `description` or `examples` is a property of a schema. */
  const isProperty = (value: unknown) => typeof value === 'object' && value !== null && 'type' in value;
  /** An id whose operation and schemas would clash with those that are there. */
  const clashing = { ...ticketTriage, id: 'list-models' };

  const features = [ticketTriage, replyDraft, clashing];
  const agents = [
    agentOf({ id: 'support', name: 'Support', instructions: 'You help customers of {{company}}.' }),
    agentOf({
      id: 'trip_planner',
      name: 'Trip planner',
      inputSchema: {
        type: 'object',
        required: ['city'],
        additionalProperties: false,
        properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
        examples: [{ city: 'Bern', days: 2 }],
      },
    }),
    agentOf({ id: 'bare', inputSchema: { type: 'object' } }),
    // An id whose operation and schemas would clash with those that are there.
    agentOf({ id: 'agent' }),
  ];

  let folder: string;
  let documents: PublicDocuments;
  let served: Document;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'switchyard-own-features-'));
    documents = publicDocuments('http://127.0.0.1:9999', { features, agents, opened: new Set() });
    served = JSON.parse((await documents.openApiJson()).text) as Document;
  });
  afterAll(() => rm(folder, { recursive: true }));

  describe('the served contract', () => {
    it("adds the operator's features and agents to the repository's operations, in names that are free", () => {
      const ids = operationsOf(served).map(({ id }) => id);
      const added = ids.filter((id) => !operationsOf(contract).some((at) => at.id === id));
      expect(added).toEqual([
        ...['ticketTriage', 'replyDraft', 'listModelsFeature'],
        ...['runSupport', 'runTripPlanner', 'runBare', 'runAgentAgent'],
      ]);
      expect(new Set(ids).size).toBe(ids.length);
      expect(served.paths['/v1/ai/ticket-triage']?.['post']).not.toHaveProperty('x-stream-operation');
      expect(served.paths['/v1/ai/reply-draft']?.['post']).toHaveProperty(
        'x-stream-operation',
        'streamFeature',
      );
      expect(served.components.schemas['TicketTriageInput']).toEqual({
        description: 'What `ticket-triage` takes.',
        ...ticketTriage.input,
      });
      expect(served.components.schemas['TripPlannerRunInput']).toEqual(agents[1]?.inputSchema);
      const trip = served.paths['/v1/agents/trip_planner/run']?.['post'];
      const { examples } = trip?.requestBody?.content['application/json'] ?? {};
      expect(examples?.['example1']?.value).toEqual({ input: { city: 'Bern', days: 2 } });
    });

    it('passes the lint of the contract, whole and as it is served', async () => {
      const whole = structuredClone(contract);
      addFeatures(whole, features);
      addAgents(whole, agents);
      await lint(JSON.stringify(whole));
      // The examples of replies stand on the documentation page only.
      await lint((await documents.openApiJson()).text, '--skip-rule=rule/media-type-has-examples');
    });

    async function lint(text: string, ...flags: string[]): Promise<void> {
      const file = path.join(folder, 'openapi.json');
      await writeFile(file, text);
      const command = ['lint', file, '--config', path.join(root, 'openapi/redocly.yaml'), ...flags];
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const redocly = path.join(root, 'node_modules/.bin/redocly');
      const output = await run(redocly, command, { cwd: root, env }).catch((error) => error);
      expect(output, `${output.stdout}\n${output.stderr}`).not.toBeInstanceOf(Error);
    }

    it('generates types that know the features and agents and compile', async () => {
      const use = `import type { RunSupportData, RunTripPlannerData, RunTripPlannerResponses } from './types.ts';
import type { TicketTriageData, TicketTriageResult, ReplyDraftCall } from './types.ts';
export const trip: RunTripPlannerData['body'] = { input: { city: 'Bern', days: 2 }, stream: true };
export const output = (done: RunTripPlannerResponses[200]): string | null => done.output;
export const support: RunSupportData['body'] = { input: 'Help!', variables: { company: 'Acme' } };
// @ts-expect-error the agent takes no text
export const text: RunTripPlannerData['body'] = { input: 'Bern' };
// @ts-expect-error a variable that has to be filled in
export const empty: RunSupportData['body'] = { input: 'Help!' };
export const body: TicketTriageData['body'] = { input: { ticket: 'It is broken.' } };
export const team = (result: TicketTriageResult): string => result.output.team;
export const urgent = (result: TicketTriageResult): boolean => result.output.urgent;
export const call: ReplyDraftCall = { input: { ticket: 'Hello' }, stream: true };
// @ts-expect-error a field that the input does not have
export const wrong: TicketTriageData['body'] = { input: { tickets: 'It is broken.' } };
// @ts-expect-error the output is no text and cannot be streamed
export const stream: TicketTriageData['body'] = { input: { ticket: 'It is broken.' }, stream: true };
`;
      await writeFile(path.join(folder, 'types.ts'), await typesSource(served));
      const file = path.join(folder, 'use.ts');
      await writeFile(file, use);
      const program = ts.createProgram([file], {
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        skipLibCheck: true,
        types: [],
      });
      const messages = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
      expect(messages).toEqual([]);
    });
  });

  describe('what else is published', () => {
    it('lists the operations in the manifest, with the one that streams those that can be streamed', async () => {
      const manifest = JSON.parse((await documents.manifest()).text);
      const added = manifest.operations
        .slice(-7)
        .map((operation: Record<string, unknown>) => [
          operation['operation_id'],
          operation['path'],
          operation['stream_operation'],
        ]);
      expect(added).toEqual([
        ['ticketTriage', '/v1/ai/ticket-triage', null],
        ['replyDraft', '/v1/ai/reply-draft', 'streamFeature'],
        ['listModelsFeature', '/v1/ai/list-models', null],
        ['runSupport', '/v1/agents/support/run', 'streamAgentRun'],
        ['runTripPlanner', '/v1/agents/trip_planner/run', 'streamAgentRun'],
        ['runBare', '/v1/agents/bare/run', 'streamAgentRun'],
        ['runAgentAgent', '/v1/agents/agent/run', 'streamAgentRun'],
      ]);
      expect(Object.keys(manifest.events)).toEqual(
        expect.arrayContaining(['streamFeature', 'streamAgentRun']),
      );
    });

    it('has a request for each example in the Postman collection, always under the same id', async () => {
      const again = publicDocuments('http://127.0.0.1:9999', {
        features: [ticketTriage],
        agents: [],
        opened: new Set(),
      });
      const items = (text: string) =>
        JSON.parse(text)
          .item.flatMap((folder: { item: object[] }) => folder.item)
          .filter(({ request }: { request: { url: { path: string[] } } }) =>
            request.url.path.includes('ticket-triage'),
          );
      const [item, ...others] = items((await again.postman()).text);
      expect(others).toEqual([]);
      expect(JSON.parse(item.request.body.raw)).toEqual({ input: ticketTriage.examples[0]?.input });
      expect(items((await documents.postman()).text)[0].id).toBe(item.id);
    });

    it('has requests for the agents in the Postman collection, with their input and variables', async () => {
      type Item = { request: { url: { path: string[] }; body: { raw: string } }; event: object[] };
      const collection = JSON.parse((await documents.postman()).text) as { item: { item: Item[] }[] };
      const all = collection.item.flatMap((folder) => folder.item);
      const bodyFor = (id: string) =>
        all
          .filter(({ request }) => request.url.path.join('/') === `v1/agents/${id}/run`)
          .map(({ request, event }) => [JSON.parse(request.body.raw), event.length]);
      expect(bodyFor('support')).toEqual([
        [{ input: expect.any(String), variables: { company: 'company' } }, 1],
      ]);
      expect(bodyFor('trip_planner')).toEqual([[{ input: { city: 'Bern', days: 2 } }, 1]]);
      expect(bodyFor('bare')).toEqual([[{ input: {} }, 1]]);
    });

    it('gives servers without such features the contract as it is generated, without what only people read', async () => {
      const plain = publicDocuments('http://127.0.0.1:8080', {
        features: [],
        agents: [],
        opened: new Set(),
      });
      const given = JSON.parse((await plain.openApiJson()).text) as Document;
      // A reply that several operations have stands among the components.
      const withReplies = (document: Document) => {
        const { paths, components } = structuredClone(document);
        for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
          operation.responses = Object.fromEntries(
            Object.entries(operation.responses).map(([status, reply]) => [status, resolve(document, reply)]),
          );
          delete operation['x-also-known-as'];
        }
        return { paths, schemas: components.schemas };
      };
      // What several failures have in common is said once in the served one: `default` has the schema of each that it stands for.
      for (const { id, operation } of operationsOf(given)) {
        const responses: Record<string, Response> =
          operationsOf(contract).find((at) => at.id === id)?.operation.responses ?? {};
        const schemaOf = (document: Document, reply: Response | undefined) =>
          reply && Object.values(resolve(document, reply).content ?? {}).map(({ schema }) => schema.$ref);
        const { default: rest, ...own } = operation.responses;
        for (const [status, reply] of Object.entries(responses)) {
          if (status in own) continue;
          expect([id, status, Number(status) >= 400, schemaOf(given, rest)]).toEqual([
            id,
            status,
            true,
            schemaOf(contract, reply),
          ]);
          own[status] = resolve(contract, reply);
        }
        operation.responses = own;
      }
      const withoutTexts = (document: Document) =>
        JSON.stringify(withReplies(document), (key, value) =>
          [
            'description',
            'default',
            'examples',
            'title',
            'x-codeSamples',
            'x-codes',
            'x-refused',
            'x-expected',
          ].includes(key) && !isProperty(value)
            ? undefined
            : value,
        );
      expect(withoutTexts(given)).toBe(
        withoutTexts(withPlainParts(contract)).replace('text/plain; version=0.0.4', 'text/plain'),
      );
      const text = JSON.stringify(given);
      for (const part of ['x-codeSamples', 'x-codes', '**Errors**', '**Limits**', '## invalid_request']) {
        expect([part, JSON.stringify(contract).includes(part)]).toEqual([part, true]);
        expect([part, text.includes(part)]).toEqual([part, false]);
      }
      const requests = (document: Document) =>
        operationsOf(document).flatMap(({ id, operation }) => {
          const { examples } = operation.requestBody?.content['application/json'] ?? {};
          return Object.entries(examples ?? {})
            .slice(0, 2)
            .map(([name, example]) => [id, name, resolve(document, example).value]);
        });
      expect(requests(given).length).toBeGreaterThan(30);
      expect(requests(given)).toEqual(requests(contract));
    });
  });
});

/** SECURITY.md names the test of each promise: each must be there. */
describe('security', () => {
  const text = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');
  const named = [...text.matchAll(/`((?:test|src|openapi|\.ci)\/[^`\s]+)`/g)].map(([, file]) => file ?? '');

  it('names files that exist', () => {
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  it('has a test for every promise, and a line for every risk of OWASP', () => {
    const rows = text
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (?:Promise|Risk) /.test(line));
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter((row) => !/`(?:test\/|npm run chaos)/.test(row))).toEqual([]);
    for (let risk = 1; risk <= 10; risk += 1) expect(text).toContain(`| API${risk} `);
  });
});
