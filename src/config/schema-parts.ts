/** A map with some keys and no others. */
export function fields(
  description: string,
  required: readonly string[],
  properties: Readonly<Record<string, object>>,
) {
  return { type: 'object', required, properties, additionalProperties: false, description };
}

export function list(description: string, items: object) {
  return { type: 'array', items, description };
}
