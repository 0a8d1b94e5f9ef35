/** What the judges in Node.js say, and what `fixtures/30-sdks.json` answers to it. */
export const say = {
  text: 'Judge, please greet me.',
  tool: 'Judge, what is the weather in Oslo?',
  parallel: 'Judge, compare the weather in Oslo and Rome.',
  json: 'Judge, describe Oslo as JSON.',
  image: 'Judge, what is in this picture?',
  document: 'Judge, what does this document say?',
  thinking: 'Judge, think hard about seven times six.',
  thinkThenTool: 'Judge, think, and then look up the weather in Oslo.',
  refusal: 'Judge, do something forbidden.',
  length: 'Judge, tell a story that is too long.',
  tooMany: 'Judge, refuse me with 429.',
  broken: 'Judge, fail with 500.',
  cut: 'Judge, stop in the middle.',
  cutAtOnce: 'Judge, stop at once.',
  slow: 'Judge, take your time.',
};

export const answer = {
  text: 'Good day to you, from the far side of the gateway.',
  tool: 'It is 4 degrees and raining in Oslo.',
  parallel: 'Oslo is colder than Rome by 14 degrees.',
  json: { city: 'Oslo', population: 717710, coastal: true },
  image: 'A small red square.',
  document: 'It says hello.',
  thinking: 'It is 42.',
  thought: 'Seven times six is six sevens, which is forty-two.',
  slow: 'That took a while.',
  length: 'Once upon a time there was a',
};

/** Whether the mock can say a refusal. On Responses it says that the answer failed, and not why. */
export const mockRefuses = process.env.TARGET_NAME !== 'translated-again';

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

/** A PDF document of one page, with one word on it. */
export const pdf = Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 38>>stream
BT /F 24 Tf 20 40 Td (hello) Tj ET    
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF
`).toString('base64');
