import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { operations } from '../../generated/operations.gen.ts';
import type { Manifest } from '../../generated/types.gen.ts';
import type { Agent } from '../agents/agent.ts';
import { addAgents, operationIdsOf } from '../agents/contract.ts';
import * as agentDocuments from '../agents/documents.ts';
import type { OperationId } from '../contract/registry.ts';
import { addFeatures } from '../features/contract.ts';
import type { FeatureDeclaration } from '../features/declaration.ts';
import * as featureDocuments from '../features/documents.ts';

/** A document that is the same for everyone, ready to be sent. */
export interface PublicDocument {
  readonly text: string;
  /** Strong validator of the text, with its quotes. */
  readonly etag: string;
}

/** What the factory publishes about this service. */
export interface PublicDocuments {
  openApiJson(): PublicDocument;
  openApiYaml(): PublicDocument;
  postman(): PublicDocument;
  manifest(): PublicDocument;
}

/** An AI feature that only this server has. */
export interface PublishedFeature {
  readonly declaration: FeatureDeclaration;
  readonly operationId: string;
}

/** What a server has beside or in place of what the contract in the repository says. */
export interface Served {
  /** The AI features that the operator has declared, with their operations. */
  readonly features: readonly PublishedFeature[];
  /** The agents that the operator has declared. */
  readonly agents: readonly Agent[];
  /** Planned operations that are available on this server, of which its documents say so. */
  readonly opened: ReadonlySet<OperationId>;
}

/** The address that the contract's examples and code samples speak of. */
const exampleUrl = 'http://127.0.0.1:8080';

/**
 * Reads the generated documents and sets this server's address in them. Each is made when it is first asked for.
 * @param publicUrl address under which clients reach this server, without a slash at the end
 * @param served what this server differs in from the contract
 */
export async function loadDocuments(
  publicUrl: string,
  { features, agents, opened }: Served,
): Promise<PublicDocuments> {
  const folder = path.join(import.meta.dirname, '../../generated');
  const read = async (name: string) => {
    const text = await readFile(path.join(folder, name), 'utf8');
    return text.replaceAll(exampleUrl, publicUrl);
  };
  const [openApi, postman, manifest] = await Promise.all(
    ['openapi.json', 'postman.json', 'manifest.json'].map(read),
  );
  if (!openApi || !postman || !manifest) throw new Error('a generated document is empty');
  const declared = features.map(({ declaration }) => declaration);
  const featureIds = features.map(({ operationId }) => operationId);
  const agentIds = operationIdsOf(agents, [...Object.keys(operations), ...featureIds]);
  const own = features.length + agents.length > 0;
  const contract = once(() => withStages(own ? openApiWith(openApi, declared, agents) : openApi, opened));
  return {
    openApiJson: once(() => document(contract())),
    openApiYaml: once(() =>
      document(stringify(JSON.parse(contract()), { lineWidth: 0, aliasDuplicateObjects: false })),
    ),
    postman: once(() => document(own ? postmanWith(postman, declared, agents) : postman)),
    manifest: once(() => {
      const built = JSON.parse(manifest) as Manifest;
      const withFeatures = featureDocuments.manifestWith(built, declared, featureIds);
      const whole = agentDocuments.manifestWith(withFeatures, agents, agentIds);
      return document(JSON.stringify(withLinks(withLifecycles(whole, opened), publicUrl), null, 2));
    }),
  };
}

/** The contract with an operation of its own for each feature and agent. */
function openApiWith(
  text: string,
  features: readonly FeatureDeclaration[],
  agents: readonly Agent[],
): string {
  const contract = JSON.parse(text) as object;
  addFeatures(contract, features);
  addAgents(contract, agents);
  return JSON.stringify(contract, null, 2);
}

function postmanWith(
  text: string,
  features: readonly FeatureDeclaration[],
  agents: readonly Agent[],
): string {
  return agentDocuments.postmanWith(featureDocuments.postmanWith(text, features), agents);
}

interface Contract {
  readonly paths: Readonly<
    Record<string, Record<string, { operationId?: string; 'x-lifecycle'?: { stage: string } }>>
  >;
}

/** The contract with the stage of every operation as it is on this server. */
function withStages(openApi: string, opened: ReadonlySet<OperationId>): string {
  if (opened.size === 0) return openApi;
  const contract = JSON.parse(openApi) as Contract;
  for (const operation of Object.values(contract.paths).flatMap(Object.values)) {
    if (opened.has(operation.operationId)) operation['x-lifecycle'].stage = 'available';
  }
  return JSON.stringify(contract, null, 2);
}

function withLifecycles(manifest: Manifest, opened: ReadonlySet<string>): Manifest {
  const operations = manifest.operations.map((operation) =>
    opened.has(operation.operation_id) ? { ...operation, lifecycle: 'available' as const } : operation,
  );
  return { ...manifest, operations };
}

function withLinks(manifest: Omit<Manifest, 'links'>, publicUrl: string): Manifest {
  return {
    ...manifest,
    links: {
      self: `${publicUrl}/api/factory/manifest`,
      docs: `${publicUrl}/docs`,
      openapi: `${publicUrl}/openapi.json`,
      openapi_yaml: `${publicUrl}/openapi.yaml`,
      postman: `${publicUrl}/api/factory/postman`,
      status: `${publicUrl}/api/factory/status`,
    },
  };
}

/** A text with its validator. */
export function document(text: string): PublicDocument {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return { text, etag: `"${hash}"` };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
