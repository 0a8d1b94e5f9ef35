/** A form that was sent as `multipart/form-data`, in memory as far as it is small, else in a file until the request is over. */
export interface Form {
  /** In the order in which they came. */
  readonly parts: readonly FormPart[];
}

export interface FormPart {
  readonly name: string;
  /** Null: it is a field and no file. */
  readonly filename: string | null;
  /** As it was named; `text/plain` where it was not. */
  readonly mediaType: string;
  /** As it was named, such as `base64`; null where nothing but bytes was. */
  readonly transferEncoding: string | null;
  /** In bytes. */
  readonly length: number;
  /** The text of a field; null for a file. */
  readonly text: string | null;
  /** Its bytes, as often as they are needed. */
  bytes(): AsyncIterable<Buffer>;
}

/** The name of a field without the brackets with which some clients say that there may be several. */
export function fieldName(name: string): string {
  return name.endsWith('[]') ? name.slice(0, -2) : name;
}

/**
 * A form as if it were a JSON object: its fields as texts, those that came more than once as lists, and each file, or the first of
 * its name, by its file name.
 */
export function formValues({ parts }: Form): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const { name, filename, text } of parts) {
    const key = fieldName(name);
    const before = values.get(key);
    if (filename !== null) {
      if (before === undefined) values.set(key, filename);
    } else if (before === undefined) values.set(key, name === key ? text : [text]);
    else values.set(key, Array.isArray(before) ? [...before, text] : [before, text]);
  }
  return Object.fromEntries(values);
}

/** The files of a form under a name, with or without brackets. */
export function filesNamed({ parts }: Form, name: string): readonly FormPart[] {
  return parts.filter((part) => part.filename !== null && fieldName(part.name) === name);
}
