/** Teaches Redocly that `x-event-schema`, the schema of the events of a stream, is a schema: it is linted and bundled as one. */
export default function eventStreams() {
  return {
    id: 'event-streams',
    typeExtension: {
      oas3: (types) => ({
        ...types,
        Schema: { ...types.Schema, properties: { ...types.Schema.properties, 'x-event-schema': 'Schema' } },
      }),
    },
  };
}
