/** What the judges in Node.js say, and what `fixtures/30-sdks.json` answers to it. */
export const say = {
  text: 'Judge, please greet me.',
  tool: 'Judge, what is the weather in Oslo?',
  parallel: 'Judge, compare the weather in Oslo and Rome.',
  json: 'Judge, describe Oslo as JSON.',
  image: 'Judge, what is in this picture?',
  thinking: 'Judge, think hard about seven times six.',
  refusal: 'Judge, do something forbidden.',
  length: 'Judge, tell a story that is too long.',
  tooMany: 'Judge, refuse me with 429.',
  broken: 'Judge, fail with 500.',
  cut: 'Judge, stop in the middle.',
};

export const answer = {
  text: 'Good day to you, from the far side of the gateway.',
  tool: 'It is 4 degrees and raining in Oslo.',
  parallel: 'Oslo is colder than Rome by 14 degrees.',
  json: { city: 'Oslo', population: 717710, coastal: true },
  image: 'A small red square.',
  thinking: 'It is 42.',
  thought: 'Seven times six is six sevens, which is forty-two.',
  length: 'Once upon a time there was a',
};

/** What each answer but errors says it used. */
export const used = { input: 11, output: 7 };

/** The calls that the answers to `say.tool` and `say.parallel` make. */
export const weatherOf = (city) => ({ city, unit: 'celsius' });

export const weatherTool = {
  name: 'get_weather',
  description: 'The weather in a city',
  schema: {
    type: 'object',
    properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
    required: ['city', 'unit'],
    additionalProperties: false,
  },
  /** Its result, as text. */
  run: ({ city }) =>
    JSON.stringify(city === 'Oslo' ? { degrees: 4, rain: true } : { degrees: 18, rain: false }),
};

export const citySchema = {
  type: 'object',
  properties: { city: { type: 'string' }, population: { type: 'integer' }, coastal: { type: 'boolean' } },
  required: ['city', 'population', 'coastal'],
  additionalProperties: false,
};

/** A red square of 2 × 2 pixels. */
export const picture = {
  type: 'image/png',
  base64:
    'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==',
};
