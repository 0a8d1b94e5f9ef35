import type { ErrorDetail } from '../../generated/types.gen.ts';
import { stepsOf } from '../lib/json.ts';
import type { SchemaProblem } from './built.ts';
import { ServiceError } from './errors.ts';

/** More would not help anyone and could be made large on purpose. */
const maxDetails = 50;

/**
 * The error that lists what is wrong with a request, field by field.
 * @param within path of what was checked, where that was not the whole body
 */
export function invalidRequest(problems: readonly SchemaProblem[], within = ''): ServiceError {
  const plain = withoutChoices(problems);
  const details = listed(plain, within);
  const [first] = details;
  const message = first
    ? `${first.path || 'The body'} ${first.message}`
    : 'The request does not fit the contract';
  const others = plain.length - 1;
  const rest = others > 0 ? ` (and ${others} more ${others === 1 ? 'problem' : 'problems'})` : '';
  const sentence = `${message}${rest}`;
  return new ServiceError('invalid_request', sentence.endsWith('?') ? sentence : `${sentence}.`, { details });
}

/** A problem with a parameter of a URL, which has to be there once, and where a type is not all that a whole number has to fit. */
export function inQuery(problem: SchemaProblem, query: Readonly<Record<string, unknown>>): SchemaProblem {
  if (problem.keyword !== 'type') return problem;
  if (Array.isArray(query[problem.instancePath.slice(1)])) return { ...problem, params: { type: 'once' } };
  return problem.params['type'] === 'integer' ? { ...problem, params: { type: 'digits' } } : problem;
}

/** The problems, field by field, up to 50 of them. */
export function detailsOf(problems: readonly SchemaProblem[], within = ''): ErrorDetail[] {
  return listed(withoutChoices(problems), within);
}

function listed(problems: readonly SchemaProblem[], within: string): ErrorDetail[] {
  return problems.slice(0, maxDetails).map((problem) => detailOf(problem, within));
}

/**
 * Where a value fits none of several schemas, a validator lists the problems for each of them. The client meant one: that
 * of the value's type, or if there is none, all types that it may have are one problem.
 */
function withoutChoices(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const choices = problems.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  const plain = choices.reduce<readonly SchemaProblem[]>(withoutChoice, problems);
  const tooShort = new Set(plain.flatMap((one) => (one.keyword === 'minLength' ? one.instancePath : [])));
  // Problems from a condition or a rule for names have their own message, and a text that is too short needs no second reason.
  return plain.filter(
    ({ keyword, instancePath }) =>
      keyword !== 'if' &&
      keyword !== 'propertyNames' &&
      !(keyword === 'pattern' && tooShort.has(instancePath)),
  );
}

function withoutChoice(problems: readonly SchemaProblem[], choice: SchemaProblem): readonly SchemaProblem[] {
  const { instancePath: path } = choice;
  const types = problems.filter(({ instancePath, keyword }) => instancePath === path && keyword === 'type');
  const others = problems.filter((problem) => problem !== choice && !types.includes(problem));
  const isWithin = ({ instancePath }: SchemaProblem) =>
    instancePath === path || instancePath.startsWith(`${path}/`);
  if (others.some(isWithin)) return others;
  const [first] = types;
  if (!first) return problems;
  const type = [...new Set(types.flatMap(({ params }) => params['type']))];
  return problems.flatMap((problem) => {
    if (problem === first) return [{ ...first, params: { type } }];
    return problem === choice || types.includes(problem) ? [] : [problem];
  });
}

function detailOf(problem: SchemaProblem, within: string): ErrorDetail {
  const { keyword, params, parentSchema, propertyName } = problem;
  const place = pathOf(problem.instancePath, within);
  const path = propertyName === undefined ? place : join(place, propertyName);
  const refused = parentSchema?.['x-refused'];
  if (refused) return { ...refused, path: join(path, refused.path) };
  switch (keyword) {
    case 'dependentRequired':
      return {
        path: join(path, String(params['property'])),
        code: 'dependency',
        message: `needs ${params['missingProperty']}`,
      };
    case 'discriminator':
      return { path: join(path, String(params['tag'])), ...unknownTag(params) };
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

/** The problem of the field that says which of several schemas a value has to fit. */
function unknownTag({ error, tagValue }: SchemaProblem['params']): Pick<ErrorDetail, 'code' | 'message'> {
  if (error === 'mapping') return { code: 'enum', message: `must not be ${JSON.stringify(tagValue)}` };
  return tagValue === undefined
    ? { code: 'required', message: 'is required' }
    : { code: 'type', message: 'must be a string' };
}

function expectation({ keyword, params, message, parentSchema }: SchemaProblem): string {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'type': {
      const types = [params['type']].flat().map(String);
      anyOf ??= new Intl.ListFormat('en-GB', { type: 'disjunction' });
      return `must be ${anyOf.format(types.map((type) => nouns[type] ?? type))}`;
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
    case 'pattern':
      return parentSchema?.['x-expected'] ?? message ?? 'is not valid';
    case 'minItems':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} items`;
    case 'maxItems':
      return `must have at most ${limit} items`;
    case 'maxProperties':
      return `must have ${limit === '1' ? `only one ${fieldsOf(parentSchema)}` : `at most ${limit} fields`}`;
    case 'minProperties':
      return `must have at least ${limit === '1' ? `one ${fieldsOf(parentSchema)}` : `${limit} fields`}`;
    case 'format':
      return `must be ${formats[String(params['format'])] ?? `in the format ${params['format']}`}`;
    default:
      return message ?? 'is not valid';
  }
}

/** The text after "one": the fields that an object may have, or that it is one, where it may have any. */
function fieldsOf(schema: SchemaProblem['parentSchema']): string {
  const names = Object.keys(schema?.properties ?? {});
  return names.length > 0 ? `of ${names.join(', ')}` : 'field';
}

/** Made when there is something to list: it loads the data of a language, for 14 ms. */
let anyOf: Intl.ListFormat | undefined;

const nouns: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  once: 'given once',
  digits: 'a whole number in digits only, such as 20',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  date: 'a day, such as 2026-11-20',
  'date-time': 'a time, such as 2026-11-20T09:00:00Z',
  email: 'an e-mail address',
  uri: 'a whole URL',
};

/** `/messages/0/role` -> `messages[0].role` */
function pathOf(pointer: string, within: string): string {
  return stepsOf(pointer).reduce(join, within);
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
