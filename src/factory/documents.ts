import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Manifest } from '../../generated/types.gen.ts';
import type { OperationId } from '../contract/registry.ts';
import type { FeatureDeclaration } from '../features/declaration.ts';
import { manifestWith, openApiWith, postmanWith } from '../features/documents.ts';

/** A document that is the same for everyone, ready to be sent. */
export interface PublicDocument {
  readonly text: string;
  /** Strong validator of the text, with its quotes. */
  readonly etag: string;
}

/**
 * What the factory publishes about this service. Each is made when it is first asked for: together they are megabytes
 * that most servers never send.
 */
export interface PublicDocuments {
  openApiJson(): Promise<PublicDocument>;
  openApiYaml(): Promise<PublicDocument>;
  postman(): Promise<PublicDocument>;
  manifest(): Promise<PublicDocument>;
}

/** An AI feature that only this server has. */
export interface PublishedFeature {
  readonly declaration: FeatureDeclaration;
  readonly operationId: string;
}

/** What a server has beside or in place of what the contract in the repository says. */
export interface Served {
  /** What the operator has declared, with their operations. */
  readonly features: readonly PublishedFeature[];
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
export function publicDocuments(publicUrl: string, { features, opened }: Served): PublicDocuments {
  const read = async (name: string) => {
    const text = await readFile(path.join(import.meta.dirname, '../../generated', name), 'utf8');
    return text.replaceAll(exampleUrl, publicUrl);
  };
  const declared = features.map(({ declaration }) => declaration);
  const own = features.length > 0;
  const openApi = async () => {
    const text = await read('openapi.json');
    return withStages(own ? openApiWith(text, declared) : text, opened);
  };
  const openApiJson = once(async () => document(await openApi()));
  return {
    openApiJson,
    openApiYaml: once(async () => {
      const { stringify } = await import('yaml');
      const { text } = await openApiJson();
      return document(stringify(JSON.parse(text), { lineWidth: 0, aliasDuplicateObjects: false }));
    }),
    postman: once(async () => {
      const text = await read('postman.json');
      return document(own ? postmanWith(text, declared) : text);
    }),
    manifest: once(async () => {
      const built = JSON.parse(await read('manifest.json')) as Manifest;
      const operations = features.map(({ operationId }) => operationId);
      const whole = own ? manifestWith(built, declared, operations) : built;
      return document(JSON.stringify(withLinks(withLifecycles(whole, opened), publicUrl), null, 2));
    }),
  };
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
