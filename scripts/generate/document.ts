/** What generators and tests ask of the contract, and the server does not. */
import {
  type Document,
  isForeign,
  type MediaType,
  type Operation,
  type OperationAt,
  type Parameter,
  resolve,
  type Schema,
} from '../../src/contract/served/document.ts';

/** Whether an object may have a property; one whose bounds nothing fits only says that it is not there. */
export function mayHave({ properties = {} }: Schema, name: string): boolean {
  const property = properties[name];
  if (property === undefined) return false;
  const isEmpty = (min: string, max: string) =>
    Number(property[min] ?? 0) > Number(property[max] ?? Infinity);
  return !isEmpty('minLength', 'maxLength') && !isEmpty('minimum', 'maximum');
}

/** The JSON in the events of a stream as it is on the wire. */
export function eventsIn(text: string): unknown[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
}

/** The path of an operation with the examples of its parameters filled in. */
export function examplePath(document: Document, { path, operation }: OperationAt): string {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter));
  return path.replaceAll(/\{(\w+)\}/g, (whole, name) =>
    String(parameters.find((parameter) => parameter.name === name)?.example ?? whole),
  );
}

/** Whether anyone may call the operation, though one who shows who they are may get more. */
export function needsNoKey({ security }: Operation): boolean {
  return security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0);
}

/** Whether an operation takes the administrator's password as its key. */
export function isForAdmin({ security }: Operation): boolean {
  return security.some((requirement) => 'adminBearer' in requirement);
}

/** Whether an operation takes its key as `X-API-Key` and not as a bearer token. */
export function takesApiKeyHeader({ security }: Operation): boolean {
  const takes = (scheme: string) => security.some((requirement) => scheme in requirement);
  return takes('apiKeyAuth') && !takes('bearerAuth');
}

/** Whether an operation asks for something by its id that a vendor may keep. */
export function asksForKept({ path, operation }: OperationAt): boolean {
  return isForeign(operation) && operation['x-wire'] !== 'mcp' && /\{\w+_id\}/.test(path);
}

/** The body of an operation, in the one media type that it takes. */
export function bodyOf({ requestBody }: Operation): MediaType | undefined {
  return Object.values(requestBody?.content ?? {})[0];
}

/** A field of a form. */
export interface FormField {
  readonly name: string;
  /** Of a file its name. */
  readonly value: string;
  readonly isFile: boolean;
}

/** The fields of the example of a form; null where the operation takes none. */
export function formFields(
  document: Document,
  { requestBody }: Operation,
  example: unknown,
): FormField[] | null {
  const media = requestBody?.content['multipart/form-data'];
  if (!media) return null;
  const { properties = {} } = resolve(document, media.schema);
  return Object.entries(example as object).map(([name, value]) => {
    const { format } = resolve<Schema>(document, properties[name] ?? {});
    return { name, value: String(value), isFile: format === 'binary' };
  });
}

/** Whether an operation ignores what the query holds beside its parameters. */
export function hasOpenQuery(operation: Operation): boolean {
  return isForeign(operation) || operation['x-open-query'] === true;
}

/** Whether a media type is neither text nor JSON nor YAML. */
export function isBinary(mediaType: string): boolean {
  return !/^text\/|[/+](?:json|yaml)$/.test(mediaType);
}

/** The examples of a media type with their references followed, as [name, summary, value]. */
export function examplesOf(document: Document, media: MediaType): [string, string, unknown][] {
  return Object.entries(media.examples ?? {}).map(([name, example]) => {
    const { summary, value } = resolve(document, example);
    return [name, summary ?? name, value];
  });
}
