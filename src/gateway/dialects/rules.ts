/** An operator's settings of a provider's dialect. */
export interface DialectSettings {
  /** The name of one; null: derived from the address or the model. */
  readonly like: string | null;
  /** In place of its lines, on every wire and for every model; null: the wire's own rule holds. */
  readonly rules: { readonly [Name in RuleName]?: Rules[Name] | null };
}

/** A class of letters, as between the brackets of a regular expression. */
export interface NameRule {
  readonly letters: string;
  /** Of the first letter, where that may be fewer. */
  readonly first?: string;
  readonly max: number;
}

export interface IdRule {
  readonly letters?: string;
  readonly max?: number;
  readonly exactly?: number;
}

export interface SchemaRule {
  /** At the top there is an object. */
  readonly object?: true;
  /** A function has a schema, be it of no properties. */
  readonly required?: true;
  /** At the top there is no `anyOf`, `oneOf`, `allOf`, `not` or `enum`: branches become one object. */
  readonly unions?: 'merged';
  /** An object has `properties`. */
  readonly properties?: true;
  /** An array has `items`. */
  readonly items?: true;
  /** No schema is `true` or `false`. */
  readonly booleans?: false;
  /** An object has `additionalProperties: false`, so that none may have members of any name, and none contains itself. */
  readonly closed?: true;
  /** Types are in the branches of an `anyOf`, not beside it, and nothing stands beside a `$ref`. */
  readonly types?: 'in_branches';
  /** Patterns have both anchors, and no classes such as `\d`; others are said in the description. */
  readonly patterns?: 'simple';
  /** `oneOf` is said as `anyOf`. */
  readonly one_of?: 'any_of';
  /** Keywords that are refused; they are said in the description instead. */
  readonly without?: readonly string[];
}

export interface ContinuedRule {
  /** The member that is true in a message to be continued. */
  readonly member: string;
  /** Whether the answer begins with what it continues. */
  readonly repeated?: true;
}

export interface StopRule {
  /** How many; 0: none at all. */
  readonly max?: number;
  /** Whether white space alone is taken. */
  readonly blank?: false;
}

export type MemberRule = false | { readonly max: number };

const object = (properties: Record<string, object>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const count = { type: 'integer', minimum: 0 };
/** An alias has letters, digits and underscores, and a digest at its end where it would be another's. */
const name = object(
  {
    letters: { type: 'string', pattern: '^a-zA-Z0-9_[.:$/]*-?$' },
    first: { const: 'a-zA-Z_' },
    max: { type: 'integer', minimum: 16 },
  },
  ['letters', 'max'],
);
const id = object({
  letters: { type: 'string', pattern: '^a-zA-Z0-9[_.:$/]*-?$' },
  max: { type: 'integer', minimum: 16 },
  // Of a digest.
  exactly: { type: 'integer', minimum: 8, maximum: 64 },
});
const schema = object({
  object: { const: true },
  required: { const: true },
  unions: { const: 'merged' },
  properties: { const: true },
  items: { const: true },
  booleans: { const: false },
  closed: { const: true },
  types: { const: 'in_branches' },
  patterns: { const: 'simple' },
  one_of: { const: 'any_of' },
  without: { type: 'array', items: { type: 'string' } },
});
const member = { anyOf: [{ const: false }, object({ max: count }, ['max'])] };
const left = { const: false };

/** A rule, with the JSON Schema of its value. */
interface Rule<Value> {
  readonly about: string;
  readonly value: object;
  /** Of types alone. */
  readonly is?: Value;
}

const rule = <Value>(about: string, value: object): Rule<Value> => ({ about, value });
/** One that says that the vendor has nothing of the kind. */
const unsupported = rule<false>('Not supported; left out.', left);

/** Each rule of a dialect. */
export const ruleSchemas = {
  tool_names: rule<NameRule>('The characters and length of tool names; others get an alias.', name),
  property_names: rule<NameRule>('The characters and length of property names; others are refused.', name),
  call_ids: rule<IdRule>('The characters and length of call ids; others get an alias.', id),
  tool_schemas: rule<SchemaRule>('The JSON Schema of tools.', schema),
  answer_schemas: rule<SchemaRule>('The JSON Schema of answers.', schema),
  answer_form: rule<'json_object'>(
    'Answers can only be restricted to JSON of any shape; the prompt describes the schema.',
    { const: 'json_object' },
  ),
  json_word: rule<true>(
    'JSON of any shape must be asked for in the prompt too; where no message has the word, one is added.',
    { const: true },
  ),
  form_beside_tools: rule<false>(
    'An answer is not restricted to JSON where there are tools; the prompt asks for it.',
    left,
  ),
  strict: rule<'complete' | 'closed' | 'never'>(
    '`strict` is for schemas that are closed and, if `complete`, require all of their properties; for others it is false, or for all (`never`).',
    { enum: ['complete', 'closed', 'never'] },
  ),
  system: rule<'first' | 'as_user' | 'after_user'>(
    'One system message, at the beginning (`first`); further down it is a message of the user (`as_user`), or stays where it is after one (`after_user`).',
    { enum: ['first', 'as_user', 'after_user'] },
  ),
  roles: rule<'alternate'>('User and assistant take turns; messages of one role in a row become one.', {
    const: 'alternate',
  }),
  begins_with: rule<'user'>('A user message must come before a call.', { const: 'user' }),
  continued: rule<ContinuedRule>(
    'The field that has a last answer continued, and whether the vendor repeats that answer; what is repeated is left out.',
    object({ member: { type: 'string' }, repeated: { const: true } }, ['member']),
  ),
  names: rule<false>('Messages have no name of a speaker.', left),
  result_names: rule<true>('A result of a tool names the tool.', { const: true }),
  blank_texts: rule<false>('No text is empty or only white space.', left),
  arguments: rule<'object'>(
    'Arguments of earlier calls must be JSON objects; other values are converted to one.',
    { const: 'object' },
  ),
  images: rule<readonly string[]>('The media types of images, as their first bytes show.', {
    type: 'array',
    items: { type: 'string' },
  }),
  unsigned_thinking: rule<false>('Unsigned thinking is refused.', left),
  prompt_cache: rule<'marked'>(
    'The vendor caches prompts only at marks; requests with tools or several turns get them.',
    { const: 'marked' },
  ),
  thinking_back: rule<string>('The field that each earlier message with calls must have, even if empty.', {
    type: 'string',
  }),
  thinking_members: rule<readonly string[]>(
    'The fields in which messages have earlier thinking; what is in others goes into the first, or is left out.',
    { type: 'array', items: { type: 'string' } },
  ),
  thinking_off: rule<Readonly<Record<string, unknown>>>('The fields that turn thinking off.', {
    type: 'object',
  }),
  effort: rule<readonly string[]>('The words for effort; any other becomes the nearest one.', {
    type: 'array',
    items: { type: 'string' },
  }),
  tools_while_reasoning: rule<false | 'unasked'>(
    'Functions need the effort `none`, or with `unasked` no effort at all; another wire is preferred.',
    { enum: [false, 'unasked'] },
  ),
  forced_tools: rule<false | 'unthinking'>(
    'A call of a tool cannot be forced, or only without thinking: thinking is turned off, or the model chooses.',
    { enum: [false, 'unthinking'] },
  ),
  stop: rule<StopRule>(
    'The maximum number of stop sequences, and whether white space is allowed.',
    object({ max: count, blank: left }),
  ),
  seed: rule<string>('The name of the field for the seed.', { type: 'string' }),
  min_output_tokens: rule<number>(
    'The smallest maximum of tokens of an answer; a smaller one is raised.',
    count,
  ),
  user: rule<MemberRule>('The longest name of a user; a longer one is hashed.', member),
  prompt_cache_key: rule<MemberRule>('The longest key of a cache; a longer one is hashed.', member),
  verbosity: unsupported,
  service_tier: unsupported,
  parallel_tool_calls: unsupported,
  temperature: unsupported,
  top_p: unsupported,
  frequency_penalty: unsupported,
  presence_penalty: unsupported,
};

export type RuleName = keyof typeof ruleSchemas;

/** A dialect, rule by rule; for omitted rules the wire's own behaviour holds. */
export type Rules = {
  readonly [Name in RuleName]?: (typeof ruleSchemas)[Name] extends Rule<infer Value> ? Value : never;
};
