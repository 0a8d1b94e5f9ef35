import type { ErrorDetail } from '../../generated/types.gen.ts';
import { ServiceError } from './errors.ts';
import type { SchemaProblem } from './validator.ts';

/** More would not help anyone and could be made large on purpose. */
const maxDetails = 50;

/**
 * The error that lists what is wrong with a request, field by field.
 * @param within path of what was checked, where that was not the whole body
 */
export function invalidRequest(problems: readonly SchemaProblem[], within = ''): ServiceError {
  const details = detailsOf(problems, within);
  const [first] = details;
  const message = first
    ? `${first.path || 'The body'} ${first.message}`
    : 'The request does not fit the contract';
  const others = problems.length - 1;
  const rest = others > 0 ? ` (and ${others} more ${others === 1 ? 'problem' : 'problems'})` : '';
  return new ServiceError('invalid_request', `${message}${rest}.`, { details });
}

/** What is wrong, field by field, up to 50 of them. */
export function detailsOf(problems: readonly SchemaProblem[], within = ''): ErrorDetail[] {
  return problems.slice(0, maxDetails).map((problem) => detailOf(problem, within));
}

function detailOf(problem: SchemaProblem, within: string): ErrorDetail {
  const { keyword, params } = problem;
  const path = pathOf(problem.instancePath, within);
  switch (keyword) {
    case 'required':
      return {
        path: join(path, String(params['missingProperty'])),
        code: 'required',
        message: 'is required',
      };
    case 'additionalProperties': {
      const name = String(params['additionalProperty']);
      const known = Object.keys(problem.parentSchema?.properties ?? {});
      return {
        path: join(path, name),
        code: 'unknown_field',
        message: `is not a known field${suggestion(name, known)}`,
      };
    }
    default:
      return { path, code: keyword, message: expectation(problem) };
  }
}

function expectation({ keyword, params, message }: SchemaProblem): string {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'type': {
      const types = [params['type']].flat().map(String);
      return `must be ${types.map((type) => nouns[type] ?? type).join(' or ')}`;
    }
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'minLength':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} items`;
    case 'maxItems':
      return `must have at most ${limit} items`;
    default:
      return message ?? 'is not valid';
  }
}

const nouns: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/** `/messages/0/role` -> `messages[0].role` */
function pathOf(pointer: string, within: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(join, within);
}

/** A path with one more step at its end. */
export function join(path: string, part: string): string {
  if (/^\d+$/.test(part)) return `${path}[${part}]`;
  return path ? `${path}.${part}` : part;
}

/** Catches the same name in another spelling, such as `max_tokens` for `maxTokens`. */
function suggestion(name: string, known: readonly string[]): string {
  const plain = (text: string) => text.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
  const meant = known.find((candidate) => plain(candidate) === plain(name));
  return meant ? `; did you mean ${meant}?` : '';
}
