export type Query = Readonly<Record<string, string | number | readonly string[]>>;

/** A whole number as JSON writes it without an exponent: what else `Number` reads, such as `1e1` or `0x10`, is refused. */
const integer = /^(?:0|-?[1-9]\d*)$/;

/**
 * Query parameters by name; one that is repeated is a list. Without a prototype, so that any name is only a name.
 * @param integers names of those that are numbers where they are written in digits; any other value stays text, which
 * the check against the contract refuses
 */
export function queryOf(querystring: string, integers: readonly string[]): Query {
  const query: Record<string, string | number | string[]> = Object.create(null);
  if (querystring === '') return query;
  for (const [name, value] of new URLSearchParams(querystring)) {
    const given = query[name];
    query[name] = given === undefined ? value : [given, value].flat().map(String);
  }
  for (const name of integers) {
    const text = query[name];
    if (typeof text === 'string' && integer.test(text)) query[name] = Number(text);
  }
  return query;
}
