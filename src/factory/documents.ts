import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { operations } from '../../generated/operations.gen.ts';
import type { Manifest } from '../../generated/types.gen.ts';
import type { Agent } from '../agents/agent.ts';
import { addAgents, operationIdsOf } from '../agents/contract.ts';
import * as agentDocuments from '../agents/documents.ts';
import type { OperationId } from '../contract/registry.ts';
import { addFeatures } from '../features/contract.ts';
import type { FeatureDeclaration } from '../features/declaration.ts';
import * as featureDocuments from '../features/documents.ts';
import { downConverted } from '../lib/openapi-30.ts';
import { type StaticText, staticText } from '../lib/static-text.ts';
import { type WholeContract, withoutDocumentation } from './served-contract.ts';

/**
 * What the factory publishes about this service. Each is made when it is first asked for: together they are megabytes
 * that most servers never send.
 */
export interface PublicDocuments {
  openApiJson(): Promise<StaticText>;
  openApiYaml(): Promise<StaticText>;
  /** The contract in OpenAPI 3.0. */
  openApi30Json(): Promise<StaticText>;
  postman(): Promise<StaticText>;
  postmanEnvironment(): Promise<StaticText>;
  manifest(): Promise<StaticText>;
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
 * The generated documents with this server's address in them.
 * @param publicUrl address under which clients reach this server, without a slash at the end
 * @param served what this server differs in from the contract
 */
export function publicDocuments(publicUrl: string, { features, agents, opened }: Served): PublicDocuments {
  const read = async (name: string) => {
    const text = await readFile(path.join(import.meta.dirname, '../../generated', name), 'utf8');
    return text.replaceAll(exampleUrl, publicUrl);
  };
  const declared = features.map(({ declaration }) => declaration);
  const featureIds = features.map(({ operationId }) => operationId);
  const agentIds = operationIdsOf(agents, [...Object.keys(operations), ...featureIds]);
  const openApiJson = once(async () => {
    const contract = JSON.parse(await read('openapi.json')) as WholeContract;
    addFeatures(contract, declared);
    addAgents(contract, agents);
    setStages(contract, opened);
    return staticText(JSON.stringify(withoutDocumentation(contract, `${publicUrl}/docs`)));
  });
  return {
    openApiJson,
    openApiYaml: once(async () => {
      const { stringify } = await import('yaml');
      const { text } = await openApiJson();
      return staticText(stringify(JSON.parse(text), { lineWidth: 0, aliasDuplicateObjects: false }));
    }),
    openApi30Json: once(async () => {
      const { text } = await openApiJson();
      return staticText(JSON.stringify(downConverted(JSON.parse(text))));
    }),
    postmanEnvironment: once(async () => staticText(await read('postman-environment.json'))),
    postman: once(async () => {
      const collection = withoutOpened(JSON.parse(await read('postman.json')) as Collection, opened);
      return staticText(postmanWith(JSON.stringify(collection), declared, agents));
    }),
    manifest: once(async () => {
      const built = JSON.parse(await read('manifest.json')) as Manifest;
      const withFeatures = featureDocuments.manifestWith(built, declared, featureIds);
      const whole = agentDocuments.manifestWith(withFeatures, agents, agentIds);
      return staticText(JSON.stringify(withLinks(withLifecycles(whole, opened), publicUrl)));
    }),
  };
}

function postmanWith(
  text: string,
  features: readonly FeatureDeclaration[],
  agents: readonly Agent[],
): string {
  return agentDocuments.postmanWith(featureDocuments.postmanWith(text, features), agents);
}

/** A Postman collection, as far as it is looked at here. */
interface Collection {
  readonly variable: readonly { readonly key: string; readonly value: string }[];
}

/** The collection, whose tests expect of the operations in its variable `planned` that they refuse. */
function withoutOpened(collection: Collection, opened: ReadonlySet<string>): Collection {
  const left = (ids: string) => ids.split(' ').filter((id) => !opened.has(id));
  const variable = collection.variable.map((one) =>
    one.key === 'planned' ? { ...one, value: left(one.value).join(' ') } : one,
  );
  return { ...collection, variable };
}

/** Says in the contract of every operation in which stage it is on this server. */
function setStages({ paths }: WholeContract, opened: ReadonlySet<string>): void {
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    if (opened.has(operation.operationId)) operation['x-lifecycle'].stage = 'available';
  }
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
      openapi_3_0: `${publicUrl}/openapi-3.0.json`,
      postman: `${publicUrl}/api/factory/postman`,
      postman_environment: `${publicUrl}/api/factory/postman-environment`,
      status: `${publicUrl}/api/factory/status`,
    },
  };
}

/** Makes a thing when it is first asked for; a failure is tried again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}
