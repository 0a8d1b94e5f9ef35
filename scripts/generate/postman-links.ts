import {
  type Document,
  type OperationAt,
  operationsOf,
  type Parameter,
  repliesOf,
  resolve,
} from '../../src/contract/served/document.ts';

/** A value that one operation answers with and another takes in its path, by a link of the contract. */
interface Passed {
  from: string;
  /** The variable of the collection that carries it, for example `getRequest_request_id`. */
  variable: string;
  to: string;
  parameter: string;
  /** JavaScript that takes it from `pm.response`. */
  source: string;
  example: string;
  /** Whether the answer may lack it: an empty list has none, and no build of the demo beyond its limit. */
  mayLack: boolean;
}

/** A value that one operation answers with and another takes in its body. */
export const passedInBodies = [
  { from: 'createFile', to: 'createBatch', field: 'input_file_id', source: 'pm.response.json().id' },
] as const;

/** The name of its variable. */
export const bodyVariable = ({ to, field }: (typeof passedInBodies)[number]) => `${to}_${field}`;

/** Whether an operation builds without a key, as often as one address may. */
export function isDemo({ tags, responses }: OperationAt['operation']): boolean {
  return tags.includes('Public demo') && '429' in responses;
}

interface Link {
  operationId: string;
  parameters?: Record<string, string>;
}

/** The values that requests of a collection hand on to later ones, which work on what was really made. */
export function passedValues(document: Document): Passed[] {
  const operations = operationsOf(document);
  return operations.flatMap(({ id, operation }) =>
    repliesOf(document, operation).flatMap(([, reply]) =>
      Object.values((reply as { links?: Record<string, Link> }).links ?? {}).flatMap((given) => {
        const link = resolve(document, given);
        const target = operations.find((at) => at.id === link.operationId);
        return Object.entries(link.parameters ?? {}).flatMap(([parameter, expression]) => {
          const example = target && pathExample(document, target, parameter);
          if (example === undefined || expression.startsWith('$request.')) return [];
          const variable = `${link.operationId}_${parameter}`;
          const mayLack = expression.includes('#/data/') || isDemo(operation);
          const source = sourceOf(expression);
          return [{ from: id, variable, to: link.operationId, parameter, source, example, mayLack }];
        });
      }),
    ),
  );
}

function pathExample(document: Document, { operation }: OperationAt, name: string): string | undefined {
  const parameters = (operation.parameters ?? []).map((given) => resolve<Parameter>(document, given));
  const found = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name);
  return found && String(found.example);
}

/** A runtime expression of OpenAPI as JavaScript (https://spec.openapis.org/oas/v3.1.1#runtime-expressions). */
function sourceOf(expression: string): string {
  const header = /^\$response\.header\.(.+)$/.exec(expression)?.[1];
  if (header) return `pm.response.headers.get('${header}')`;
  const pointer = /^\$response\.body#\/(.+)$/.exec(expression)?.[1];
  if (!pointer) throw new Error(`a link has an expression that is not understood: ${expression}`);
  const steps = pointer.split('/').map((step) => (/^\d+$/.test(step) ? `?.[${step}]` : `?.${step}`));
  return `(/json/.test(pm.response.headers.get('content-type')) ? pm.response.json() : null)${steps.join('')}`;
}
