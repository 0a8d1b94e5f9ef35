import type { Document } from '../../src/contract/served/document.ts';

/** Something in the contract that a generator cannot read, and what the generator gets in its place. */
interface Exception {
  /** The generator, as its project is called. */
  readonly tool: string;
  /** Where the generator's project knows of it. */
  readonly issue: string;
  readonly change: (document: Document) => void;
}

/**
 * Every difference between the contract as it is served and as a generator of a client library reads it. What is not named
 * here, the generators read as it is served.
 */
export const exceptions = {
  /** The title of a named schema becomes the name of its class, and schemas may share a title: three events are an "end". */
  titleIsClassName: {
    tool: 'openapi-python-client',
    issue: 'https://github.com/openapi-generators/openapi-python-client/issues/652',
    change: (document) => {
      for (const schema of Object.values(document.components.schemas)) delete schema['title'];
    },
  },
} as const satisfies Record<string, Exception>;

/** The contract as a generator reads it that needs the exceptions of these names. */
export function contractFor(contract: Document, ...names: (keyof typeof exceptions)[]): Document {
  const document = structuredClone(contract);
  for (const name of names) exceptions[name].change(document);
  return document;
}
