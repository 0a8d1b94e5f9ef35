import type { Document, MediaType, Schema, Tag } from './document.ts';

/** What the documentation page lists together, under a heading. */
export interface TagGroup {
  readonly name: string;
  readonly tags: readonly string[];
}

/**
 * Writes the served contract in OpenAPI 3.2, which has words for two things that 3.1 leaves to extensions: what each event of a
 * stream is, and which tags belong together.
 * @param document is changed
 * @param self the address of the result
 */
export function upConverted(document: Document, groups: readonly TagGroup[], self: string): object {
  for (const content of contentsIn([document.paths, document.components.responses])) {
    const media = content['text/event-stream'];
    if (media) content['text/event-stream'] = asItems(media);
  }
  return { ...document, openapi: '3.2.0', $self: self, tags: withParents(document.tags, groups) };
}

/** Every `content` of a reply, wherever it stands. */
function contentsIn(value: unknown): Record<string, object>[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'content' ? [member as Record<string, object>] : contentsIn(member),
  );
}

/** A stream by the fields of its events (https://spec.openapis.org/oas/v3.2.0#special-considerations-for-server-sent-events). */
function asItems({ schema, ...media }: MediaType | { schema?: Schema }): object {
  const text = { type: 'string' };
  const event = schema?.['x-event-schema'];
  const data = event ? { ...text, contentMediaType: 'application/json', contentSchema: event } : text;
  const properties = { event: text, id: text, data };
  return { ...media, itemSchema: { type: 'object', required: ['data'], properties } };
}

/** The tags below one for each group that has any. */
function withParents(tags: readonly Tag[], groups: readonly TagGroup[]): object[] {
  const groupOf = (name: string) => groups.find((group) => group.tags.includes(name))?.name;
  const parents = groups.filter((group) => tags.some(({ name }) => group.tags.includes(name)));
  return [
    ...parents.map(({ name }) => ({ name, kind: 'nav' })),
    ...tags.map((tag) => ({ ...tag, kind: 'nav', parent: groupOf(tag.name) })),
  ];
}
