/** JSON Schema of `AppSpec`, so that a model can be asked for a spec as structured output. */
const text = (maxLength: number, minLength = 0) => ({ type: 'string', minLength, maxLength }) as const;
const list = <T>(items: T, maxItems: number) => ({ type: 'array', items, maxItems }) as const;
const object = <P extends object>(properties: P, optional: readonly string[] = []) => ({
  type: 'object' as const,
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const field = object(
  {
    key: { type: 'string', pattern: '^f[0-9]{1,2}$' },
    label: text(60, 1),
    type: {
      enum: [
        'text',
        'longtext',
        'number',
        'currency',
        'date',
        'time',
        'select',
        'checkbox',
        'rating',
        'email',
        'phone',
        'url',
      ],
    },
    required: { type: 'boolean' },
    options: list(text(60, 1), 16),
    total: { enum: ['sum', 'average', 'none'] },
  },
  ['required', 'options', 'total'],
);

const item = object({ title: text(120, 1), text: text(600), price: text(40), meta: text(60) }, [
  'text',
  'price',
  'meta',
]);

const section = object(
  {
    type: { enum: ['text', 'items', 'prices', 'steps', 'quotes', 'schedule', 'timeline', 'tags', 'faq'] },
    title: text(80, 1),
    text: text(800),
    items: list(item, 24),
  },
  ['text'],
);

export const appSpecSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'AppSpec',
  ...object({
    v: { const: 1 },
    kind: {
      enum: [
        'tracker',
        'habits',
        'board',
        'dashboard',
        'quiz',
        'flashcards',
        'calculator',
        'converter',
        'timer',
        'landing',
        'portfolio',
        'docs',
        'game',
        'form',
        'notes',
        'event',
      ],
    },
    variant: text(24),
    name: text(60, 1),
    tagline: text(160),
    lang: { enum: ['en', 'de', 'es', 'fr'] },
    palette: object({
      accent: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
      mode: { enum: ['auto', 'light', 'dark'] },
      look: { enum: ['soft', 'crisp', 'editorial'] },
    }),
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    entity: {
      anyOf: [
        { type: 'null' },
        object({ singular: text(60, 1), plural: text(60, 1), fields: { ...list(field, 14), minItems: 1 } }),
      ],
    },
    features: {
      ...list(
        { enum: ['search', 'filter', 'sort', 'totals', 'chart', 'csv', 'due', 'undo', 'print', 'dark'] },
        10,
      ),
      uniqueItems: true,
    },
    seed: list(
      {
        type: 'object',
        patternProperties: { '^f[0-9]{1,2}$': { type: ['string', 'number', 'boolean'], maxLength: 300 } },
        additionalProperties: false,
      },
      40,
    ),
    sections: list(section, 12),
    questions: list(object({ prompt: text(200, 1), answer: text(120, 1), wrong: list(text(120, 1), 5) }), 40),
    hours: list(object({ days: text(40, 1), time: text(40, 1) }), 8),
    contact: object({ email: text(120), phone: text(40), address: text(160) }, ['email', 'phone', 'address']),
    settings: {
      type: 'object',
      propertyNames: { pattern: '^[a-z][a-zA-Z]{0,23}$' },
      additionalProperties: { type: 'number' },
      maxProperties: 12,
    },
    copy: {
      type: 'object',
      propertyNames: { pattern: '^[a-z][a-zA-Z]{0,23}$' },
      additionalProperties: text(200),
      maxProperties: 12,
    },
    assumptions: list(text(240, 1), 12),
  }),
} as const;
