/** A check compiled from the contract's schemas. Problems of the last call are in `errors`. */
export interface Validator {
  (data: unknown): boolean;
  errors?: readonly SchemaProblem[] | null;
}

/** One broken rule, as Ajv reports it. */
export interface SchemaProblem {
  /** JSON Pointer to the value, for example `/messages/0/role`. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** The schema object that holds the broken rule. */
  readonly parentSchema?: {
    readonly properties?: Readonly<Record<string, unknown>>;
    /** What to say of a value that breaks a rule between fields, in place of the rule. The path begins at the object. */
    readonly 'x-refused'?: { readonly path: string; readonly code: string; readonly message: string };
    /** What the pattern of a string is for, in words that follow the name of a field. */
    readonly 'x-expected'?: string;
  };
}
