import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addAgents } from '../../src/contract/served/agent-operations.ts';
import {
  type Document,
  type OperationAt,
  operationsOf,
  type Parameter,
  type Response,
  resolve,
} from '../../src/contract/served/document.ts';
import { addFeatures } from '../../src/contract/served/feature-operations.ts';
import type { DeclaredFeature } from '../../src/contract/served/own-operations.ts';
import { builtInAgents } from '../../src/services/agents/open-agents.ts';
import { repositoryUrl } from '../repository.ts';
import { codeSamples } from './code-samples.ts';
import { addKinds } from './kinds.ts';
import { errorCodeRows } from './types.ts';

export interface Bundle {
  document: Document;
  /** The operations of the features, in their order. */
  featureOperations: string[];
  /** Those of the built-in agents, in their order. */
  agentOperations: string[];
}

/**
 * Bundles the hand-written files of `openapi/` into one document and adds what derives from it: a
 * documentation section for each error code, the kinds of apps, the operation of each built-in feature and agent, and the code
 * samples of each operation.
 */
export function bundle(root: string, features: readonly DeclaredFeature[], kinds: readonly string[]): Bundle {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-bundle-'));
  try {
    const file = path.join(folder, 'openapi.json');
    // A clash of component names would only be a warning, and would rename one of them silently.
    const flags = ['--config', 'openapi/redocly.yaml', '--component-renaming-conflicts-severity=error'];
    const command = ['bundle', 'openapi/openapi.yaml', '-o', file, ...flags];
    const { status, stderr } = spawnSync('redocly', command, {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    if (status !== 0) throw new Error(`openapi/ cannot be bundled:\n${stderr}`);
    return enrich(JSON.parse(readFileSync(file, 'utf8')) as Document, features, kinds);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function enrich(document: Document, features: readonly DeclaredFeature[], kinds: readonly string[]): Bundle {
  const errors = document.tags.find((tag) => tag.name === 'Errors');
  if (!errors) throw new Error('the contract has no tag "Errors"');
  errors.description += errorCodeRows(document)
    .map((row) => `\n## ${row.code}\n\n**${row.status}**, \`${row.type}\`. ${row.description}\n`)
    .join('');
  const url = repositoryUrl();
  if (url !== null) document.info.contact = { ...document.info.contact, url };
  moveParameters(document);
  addDeprecations(document);
  addKinds(document, kinds);
  const featureOperations = addFeatures(document, features);
  const agentOperations = addAgents(document, builtInAgents);
  for (const at of operationsOf(document)) {
    at.operation['x-codeSamples'] = codeSamples(document, at);
    at.operation.description += secondNames(at);
  }
  return { document, featureOperations, agentOperations };
}

/** Puts the parameters that all operations of a path share to each of them, where every reader of the document looks for them. */
function moveParameters({ paths }: Document): void {
  for (const item of Object.values(paths) as { parameters?: Parameter[] }[]) {
    const { parameters: shared = [], ...operations } = item;
    delete item.parameters;
    for (const operation of Object.values(operations) as { parameters?: Parameter[] }[])
      if (shared.length > 0) operation.parameters = [...shared, ...(operation.parameters ?? [])];
  }
}

/** Gives every reply of a deprecated operation, the shared ones of errors too, the headers that its success has for that (RFC 9745). */
function addDeprecations(document: Document): void {
  for (const { id, operation } of operationsOf(document)) {
    if (!operation.deprecated !== !operation['x-deprecated-since'])
      throw new Error(`${id} needs both \`deprecated\` and \`x-deprecated-since\`, or neither`);
    if (!operation.deprecated) continue;
    const replies = Object.entries(operation.responses).map(
      ([status, reply]) => [status, resolve<Response>(document, reply)] as const,
    );
    const { deprecation, link } = replies[0]?.[1].headers ?? {};
    if (!deprecation || !link) throw new Error(`${id} is deprecated, and its first reply has no such header`);
    operation.responses = Object.fromEntries(
      replies.map(([status, reply]) => [
        status,
        { ...reply, headers: { ...reply.headers, deprecation, link } },
      ]),
    );
  }
}

/** What the documentation says of the paths that an operation answers at beside its own. */
function secondNames({ path, operation }: OperationAt): string {
  const names = operation['x-also-known-as'] ?? [];
  if (names.length === 0) return '';
  const listed = names.map((name) => `\`${name}\``).join(', ');
  return `\n\n**Second names**: ${listed}. They answer alike; new programs should call \`${path}\`.\n`;
}
