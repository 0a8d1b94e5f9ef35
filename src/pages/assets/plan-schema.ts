import { isObject, namesOf } from './json-pointer.ts';

/** The data of the form: the schema of a plan, and the kinds of apps. */
export interface PlanForms {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly kinds: readonly PlanKind[];
}

export interface PlanKind {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly accent: string;
  /** Its picture, on a grid of 24 by 24. */
  readonly drawing: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
  /** By variant, the first the usual one; under an empty name where there is only one. */
  readonly apps: Readonly<Record<string, PlanApp>>;
}

export interface PlanApp {
  /** The members of a plan that it shows, besides those that all have. */
  readonly uses: readonly string[];
  readonly features: readonly string[];
  readonly settings: readonly NamedValue[];
  readonly copy: readonly NamedValue[];
}

export type NamedValue = { name: string; description: string; value: string; options: readonly string[] };

/** The schema of one member, with its references followed. */
export interface SchemaNode {
  /** Of its values; null left out. */
  readonly type: string;
  readonly options: readonly string[];
  readonly maxLength: number;
  readonly maxItems: number;
  readonly minItems: number;
  readonly required: readonly string[];
  readonly members: readonly string[];
}

export type Schema = Readonly<Record<string, unknown>>;

export function schemaAt(root: Schema, pointer: string): SchemaNode {
  let here = followed(root, root);
  for (const name of namesOf(pointer)) {
    const properties = here['properties'];
    const next =
      /^\d+$/.test(name) && here['items'] ? here['items'] : isObject(properties) && properties[name];
    here = followed(
      root,
      isObject(next) ? next : isObject(here['additionalProperties']) ? here['additionalProperties'] : {},
    );
  }
  const { type, enum: options, maxLength, maxItems, minItems, required, properties } = here;
  return {
    type: Array.isArray(type) ? String(type[0]) : typeof type === 'string' ? type : '',
    options: Array.isArray(options) ? options.map(String) : [],
    maxLength: typeof maxLength === 'number' ? maxLength : 0,
    maxItems: typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY,
    minItems: typeof minItems === 'number' ? minItems : 0,
    required: Array.isArray(required) ? required.map(String) : [],
    members: isObject(properties) ? Object.keys(properties) : [],
  };
}

function followed(root: Schema, schema: Schema): Schema {
  const { $ref, allOf, oneOf } = schema;
  if (typeof $ref === 'string') {
    const defs = root['$defs'];
    const target = isObject(defs) ? defs[$ref.slice('#/$defs/'.length)] : undefined;
    return isObject(target) ? followed(root, target) : {};
  }
  const [only] = Array.isArray(allOf) ? allOf : [];
  if (isObject(only)) return { ...schema, ...followed(root, only) };
  const some = Array.isArray(oneOf)
    ? oneOf.find((one) => isObject(one) && one['type'] !== 'null')
    : undefined;
  return isObject(some) ? { ...schema, ...followed(root, some) } : schema;
}

/** The variants of a kind; one with an empty name where there is only one sort of apps. */
export function variantsOf({ kinds }: PlanForms, id: unknown) {
  return Object.keys(kinds.find((kind) => kind.id === id)?.apps ?? {});
}

/** The facts about the apps of a plan's kind and variant. */
export function appOf(
  { kinds }: PlanForms,
  { kind: id, variant }: Readonly<Record<string, unknown>>,
): PlanApp {
  const apps = kinds.find((kind) => kind.id === id)?.apps ?? {};
  return (
    apps[String(variant)] ?? Object.values(apps)[0] ?? { uses: [], features: [], settings: [], copy: [] }
  );
}
