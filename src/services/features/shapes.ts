/** How models are asked for the JSON of the built-in features, where that is more than their output schema says. */
import type { SchemaProblem, Validator } from '../../contract/validator.ts';
import type { JsonSchema } from '../../lib/json-schema.ts';
import { callerSchema } from './caller-schema.ts';
import type { FeatureDeclaration } from './declaration.ts';
import { verdictOf } from './model-engine.ts';
import type { Fields, JsonShape } from './task.ts';

/** Throws `ServiceError` for an input that is wrong in a way that its schema cannot say. */
type MakeShape = (input: Fields, declared: JsonShape) => JsonShape | Promise<JsonShape>;

/** A schema whose answer is the output as it is. */
export function plainShape({ output: schema }: FeatureDeclaration, validate: Validator): JsonShape {
  return {
    schema,
    check: (value) => problemsOf(validate, value),
    output: (answer) => answer,
  };
}

function problemsOf(validate: Validator, value: unknown): readonly SchemaProblem[] {
  return validate(value) ? [] : (validate.errors ?? []);
}

/** By the id of the feature. */
export const shapes: Readonly<Record<string, MakeShape>> = {
  async extract(input) {
    const { schema, validate } = await callerSchema(input['schema'] as JsonSchema, 'input.schema');
    return { schema, check: (value) => problemsOf(validate, value), output: (data) => ({ data }) };
  },

  classify(input, declared) {
    const labels = (input['labels'] as readonly { readonly name: string }[]).map(({ name }) => name);
    const multiple = input['multiple'] === true;
    const list = { type: 'array', items: { type: 'string', enum: labels } };
    const schema = withProperty(declared.schema, 'labels', {
      ...list,
      ...(multiple ? { maxItems: labels.length } : { minItems: 1, maxItems: 1 }),
    });
    const check = (value: unknown) => {
      const problems = declared.check(value);
      return problems.length > 0 ? problems : labelProblems((value as LabelAnswer).labels, labels, multiple);
    };
    return { schema, check, output: (answer) => answer };
  },

  moderate(input, declared) {
    const asked = input['categories'] as readonly string[];
    const { flagged: _, ...properties } = declared.schema['properties'] as Readonly<
      Record<string, JsonSchema>
    >;
    const schema = { ...declared.schema, required: ['categories'], properties };
    const check = (value: unknown) => {
      const problems = declared.check({ ...(value as Fields), flagged: false });
      return problems.length > 0 ? problems : categoryProblems((value as CategoryAnswer).categories, asked);
    };
    return {
      schema,
      check,
      output: (answer) => ({
        ...answer,
        flagged: (answer as unknown as CategoryAnswer).categories.some(({ flagged }) => flagged),
      }),
    };
  },

  compare(_input, declared) {
    const { verdict: _, ...properties } = declared.schema['properties'] as Readonly<
      Record<string, JsonSchema>
    >;
    const required = Object.keys(properties);
    return {
      schema: { ...declared.schema, required, properties },
      check: (value) => declared.check({ ...(value as Fields), verdict: 'different' }),
      output: ({ similarity, ...lists }) => ({
        similarity,
        verdict: verdictOf(similarity as number),
        ...lists,
      }),
    };
  },

  keywords(input, declared) {
    const max = input['limit'] as number;
    type Found = { readonly keyword: string; readonly score: number };
    return {
      ...declared,
      output: ({ keywords }) => ({
        keywords: [...(keywords as readonly Found[])]
          .sort((one, other) => other.score - one.score)
          .slice(0, max),
      }),
    };
  },
};

interface LabelAnswer {
  readonly labels: readonly string[];
}

interface CategoryAnswer {
  readonly categories: readonly { readonly category: string; readonly flagged: boolean }[];
}

function labelProblems(
  given: readonly string[],
  allowedValues: readonly string[],
  multiple: boolean,
): SchemaProblem[] {
  const problems: SchemaProblem[] = given.flatMap((label, index) =>
    allowedValues.includes(label)
      ? []
      : [{ instancePath: `/labels/${index}`, keyword: 'enum', params: { allowedValues } }],
  );
  if (new Set(given).size < given.length) problems.push(problem('/labels', 'must not repeat a label'));
  if (!multiple && given.length !== 1) problems.push(problem('/labels', 'must have exactly one label'));
  return problems;
}

function categoryProblems(
  given: readonly { readonly category: string }[],
  asked: readonly string[],
): SchemaProblem[] {
  const found = given.map(({ category }) => category);
  const fits = found.length === asked.length && asked.every((category) => found.includes(category));
  return fits ? [] : [problem('/categories', `must have each of ${asked.join(', ')} exactly once`)];
}

function problem(instancePath: string, message: string): SchemaProblem {
  return { instancePath, keyword: 'answer', params: {}, message };
}

function withProperty(schema: JsonSchema, name: string, property: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...(schema['properties'] as object), [name]: property } };
}
