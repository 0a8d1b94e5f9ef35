import { isObject, namesOf } from './json-pointer.js';

/**
 * What the form needs to know: the schema of a plan, and the kinds of apps.
 * @typedef {object} PlanForms
 * @property {Readonly<Record<string, unknown>>} schema the contract's `AppSpec`
 * @property {readonly PlanKind[]} kinds
 *
 * @typedef {object} PlanKind
 * @property {string} id
 * @property {string} name
 * @property {string} description
 * @property {string} accent the colour of its apps
 * @property {readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[]} drawing its picture, on a grid of 24 by 24
 * @property {Readonly<Record<string, PlanApp>>} apps by variant, the first the usual one; under an empty name where there is only one
 *
 * @typedef {object} PlanApp
 * @property {readonly string[]} uses the members of a plan that it shows, besides those that all have
 * @property {readonly string[]} features what it can do
 * @property {readonly NamedValue[]} settings
 * @property {readonly NamedValue[]} copy
 *
 * @typedef {{ name: string, description: string, value: string, options: readonly string[] }} NamedValue
 */

/**
 * What the schema says of one member, with its references followed.
 * @typedef {object} SchemaNode
 * @property {string} type of its values; null left out
 * @property {readonly string[]} options of an `enum`
 * @property {number} maxLength
 * @property {number} maxItems
 * @property {number} minItems
 * @property {string} pattern
 * @property {readonly string[]} required
 * @property {readonly string[]} members of an object
 */

/** @typedef {Readonly<Record<string, unknown>>} Schema */

/**
 * The schema of what stands at a place of a plan.
 * @param {Schema} root
 * @param {string} pointer
 * @returns {SchemaNode}
 */
export function schemaAt(root, pointer) {
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
  const { type, enum: options, maxLength, maxItems, minItems, pattern, required, properties } = here;
  return {
    type: Array.isArray(type) ? String(type[0]) : typeof type === 'string' ? type : '',
    options: Array.isArray(options) ? options.map(String) : [],
    maxLength: typeof maxLength === 'number' ? maxLength : 0,
    maxItems: typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY,
    minItems: typeof minItems === 'number' ? minItems : 0,
    pattern: typeof pattern === 'string' ? pattern : '',
    required: Array.isArray(required) ? required.map(String) : [],
    members: isObject(properties) ? Object.keys(properties) : [],
  };
}

/**
 * @param {Schema} root
 * @param {Schema} schema
 * @returns {Schema}
 */
function followed(root, schema) {
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

/**
 * The variants of a kind; one with an empty name where there is only one sort of apps.
 * @param {PlanForms} forms
 * @param {unknown} id
 */
export function variantsOf({ kinds }, id) {
  return Object.keys(kinds.find((kind) => kind.id === id)?.apps ?? {});
}

/**
 * What there is to know of the apps of a plan's kind and variant.
 * @param {PlanForms} forms
 * @param {Readonly<Record<string, unknown>>} draft
 * @returns {PlanApp}
 */
export function appOf({ kinds }, { kind: id, variant }) {
  const apps = kinds.find((kind) => kind.id === id)?.apps ?? {};
  return (
    apps[String(variant)] ?? Object.values(apps)[0] ?? { uses: [], features: [], settings: [], copy: [] }
  );
}
