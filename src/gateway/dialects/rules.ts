/** What a dialect says, rule by rule; what it leaves out is taken as the wire has it. Each is described in `ruleSchemas`. */
export interface Rules {
  readonly tool_names?: NameRule;
  readonly property_names?: NameRule;
  readonly call_ids?: IdRule;
  readonly tool_schemas?: SchemaRule;
  readonly answer_schemas?: SchemaRule;
  readonly answer_form?: 'json_object';
  readonly json_word?: true;
  readonly form_beside_tools?: false;
  readonly strict?: 'complete' | 'closed' | 'never';
  readonly system?: 'first' | 'as_user' | 'after_user';
  readonly roles?: 'alternate';
  readonly begins_with?: 'user';
  readonly continued?: ContinuedRule;
  readonly names?: false;
  readonly result_names?: true;
  readonly blank_texts?: false;
  readonly arguments?: 'object';
  readonly images?: readonly string[];
  readonly unsigned_thinking?: false;
  readonly prompt_cache?: 'marked';
  readonly thinking_back?: string;
  readonly thinking_members?: readonly string[];
  readonly thinking_off?: Readonly<Record<string, unknown>>;
  readonly effort?: readonly string[];
  readonly tools_while_reasoning?: false | 'unasked';
  readonly forced_tools?: false | 'unthinking';
  readonly stop?: StopRule;
  readonly seed?: string;
  readonly min_output_tokens?: number;
  readonly user?: MemberRule;
  readonly prompt_cache_key?: MemberRule;
  readonly verbosity?: false;
  readonly service_tier?: false;
  readonly parallel_tool_calls?: false;
  readonly temperature?: false;
  readonly top_p?: false;
  readonly frequency_penalty?: false;
  readonly presence_penalty?: false;
}

export type RuleName = keyof Rules;

/** What an operator says of a provider's dialect. */
export interface DialectSettings {
  /** The name of one; null: the address or the model tells. */
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
  /** What the message has that is to be continued, which is true. */
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

/** The JSON Schema of each rule's value, with what the rule says. */
export const ruleSchemas: Readonly<Record<RuleName, { readonly about: string; readonly value: object }>> = {
  tool_names: { about: 'The characters and length of tool names; others get an alias.', value: name },
  property_names: {
    about: 'The characters and length of property names; others are refused.',
    value: name,
  },
  call_ids: {
    about: 'The characters and length of call ids; others get an alias.',
    value: id,
  },
  tool_schemas: { about: 'The JSON Schema of tools.', value: schema },
  answer_schemas: { about: 'The JSON Schema of answers.', value: schema },
  answer_form: {
    about: 'Answers can only be restricted to JSON of any shape; the prompt describes the schema.',
    value: { const: 'json_object' },
  },
  json_word: {
    about:
      'JSON of any shape must be asked for in the prompt too; where no message has the word, one is added.',
    value: { const: true },
  },
  form_beside_tools: {
    about: 'An answer is not restricted to JSON where there are tools; the prompt asks for it.',
    value: left,
  },
  strict: {
    about:
      '`strict` is for schemas that are closed and, if `complete`, require all of their properties; for others it is false, or for all (`never`).',
    value: { enum: ['complete', 'closed', 'never'] },
  },
  system: {
    about:
      'One system message, at the beginning (`first`); further down it is a message of the user (`as_user`), or stays where it is after one (`after_user`).',
    value: { enum: ['first', 'as_user', 'after_user'] },
  },
  roles: {
    about: 'User and assistant take turns; messages of one role in a row become one.',
    value: { const: 'alternate' },
  },
  begins_with: { about: 'A user message must come before a call.', value: { const: 'user' } },
  continued: {
    about:
      'The field that has a last answer continued, and whether the vendor repeats that answer; what is repeated is left out.',
    value: object({ member: { type: 'string' }, repeated: { const: true } }, ['member']),
  },
  names: { about: 'Messages have no name of a speaker.', value: left },
  result_names: { about: 'A result of a tool names the tool.', value: { const: true } },
  blank_texts: { about: 'No text is empty or only white space.', value: left },
  arguments: {
    about: 'Arguments of earlier calls must be JSON objects; other values are converted to one.',
    value: { const: 'object' },
  },
  images: {
    about: 'The media types of images, as their first bytes show.',
    value: { type: 'array', items: { type: 'string' } },
  },
  unsigned_thinking: { about: 'Unsigned thinking is refused.', value: left },
  prompt_cache: {
    about: 'The vendor caches prompts only at marks; requests with tools or several turns get them.',
    value: { const: 'marked' },
  },
  thinking_back: {
    about: 'The field that each earlier message with calls must have, even if empty.',
    value: { type: 'string' },
  },
  thinking_members: {
    about:
      'The fields in which messages have earlier thinking; what is in others goes into the first, or is left out.',
    value: { type: 'array', items: { type: 'string' } },
  },
  thinking_off: {
    about: 'The fields that turn thinking off.',
    value: { type: 'object' },
  },
  effort: {
    about: 'The words for effort; any other becomes the nearest one.',
    value: { type: 'array', items: { type: 'string' } },
  },
  tools_while_reasoning: {
    about: 'Functions need the effort `none`, or with `unasked` no effort at all; another wire is preferred.',
    value: { enum: [false, 'unasked'] },
  },
  forced_tools: {
    about:
      'A call of a tool cannot be forced, or only without thinking: thinking is turned off, or the model chooses.',
    value: { enum: [false, 'unthinking'] },
  },
  stop: {
    about: 'The maximum number of stop sequences, and whether white space is allowed.',
    value: object({ max: count, blank: left }),
  },
  seed: { about: 'The name of the field for the seed.', value: { type: 'string' } },
  min_output_tokens: {
    about: 'The smallest maximum of tokens of an answer; a smaller one is raised.',
    value: count,
  },
  user: { about: 'The longest name of a user; a longer one is hashed.', value: member },
  prompt_cache_key: { about: 'The longest key of a cache; a longer one is hashed.', value: member },
  verbosity: { about: 'Not supported; left out.', value: left },
  service_tier: { about: 'Not supported; left out.', value: left },
  parallel_tool_calls: { about: 'Not supported; left out.', value: left },
  temperature: { about: 'Not supported; left out.', value: left },
  top_p: { about: 'Not supported; left out.', value: left },
  frequency_penalty: { about: 'Not supported; left out.', value: left },
  presence_penalty: { about: 'Not supported; left out.', value: left },
};
