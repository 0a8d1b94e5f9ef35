export const ok = <Body>(body: Body) => ({ status: 200, body }) as const;

export const created = <Body>(body: Body) => ({ status: 201, body }) as const;

/** A document of JSON that is ready to be sent. */
export const document = <Text>(text: Text) =>
  ({ status: 200, mediaType: 'application/json', ...text }) as const;
