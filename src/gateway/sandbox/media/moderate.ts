import type {
  Moderation,
  ModerationCreateParams,
  ModerationMultiModalInput,
} from 'openai/resources/moderations';

type Category = keyof Moderation.Categories;
type InputType = 'text' | 'image';

/** The categories of `omni-moderation`, and what each is looked for in. */
const inputsOf = {
  harassment: ['text'],
  'harassment/threatening': ['text'],
  hate: ['text'],
  'hate/threatening': ['text'],
  illicit: ['text'],
  'illicit/violent': ['text'],
  'self-harm': ['text', 'image'],
  'self-harm/instructions': ['text', 'image'],
  'self-harm/intent': ['text', 'image'],
  sexual: ['text', 'image'],
  'sexual/minors': ['text'],
  violence: ['text', 'image'],
  'violence/graphic': ['text', 'image'],
} as const satisfies Readonly<Record<Category, readonly InputType[]>>;

const categories = Object.keys(inputsOf) as readonly Category[];
/** Stands before the name of a category in what is to be flagged: `sandbox:flag:violence`. */
const trigger = /sandbox:flag:([a-z-]+(?:\/[a-z]+)?)/g;
/** As much of a picture's address is looked at, in characters; the bytes of a `data:` address are not. */
const maxAddress = 2048;

/**
 * The results of a moderation: one for a text, one for each of several texts, one for all parts of a message together.
 * It judges nothing. A category is flagged, with a score of 1, where a text or the address of a picture has
 * `sandbox:flag:` with the name of the category, such as `sandbox:flag:violence`; an address flags only categories of
 * pictures. Every other score is 0.
 */
export function moderate(input: ModerationCreateParams['input']): Moderation[] {
  if (typeof input === 'string') return [resultOf([input], [])];
  if (!isParts(input)) return input.map((text) => resultOf([text], []));
  const texts = input.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const addresses = input.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
  return [resultOf(texts, addresses)];
}

function isParts(
  input: readonly string[] | readonly ModerationMultiModalInput[],
): input is readonly ModerationMultiModalInput[] {
  return typeof input[0] === 'object';
}

function resultOf(texts: readonly string[], addresses: readonly string[]): Moderation {
  const inTexts = new Set(texts.flatMap(named));
  const inPictures = new Set(
    addresses.filter((url) => !/^data:/i.test(url)).flatMap((url) => named(url.slice(0, maxAddress))),
  );
  const flagged = (category: Category) =>
    inTexts.has(category) || (takesPictures(category) && inPictures.has(category));
  const each = <T>(value: (category: Category) => T) =>
    Object.fromEntries(categories.map((category) => [category, value(category)])) as Record<Category, T>;
  const applied = (category: Category): InputType[] => [
    ...(texts.length > 0 ? (['text'] as const) : []),
    ...(addresses.length > 0 && takesPictures(category) ? (['image'] as const) : []),
  ];
  return {
    flagged: categories.some(flagged),
    categories: each(flagged),
    category_scores: each((category) => (flagged(category) ? 1 : 0)),
    category_applied_input_types: each(applied) as Moderation.CategoryAppliedInputTypes,
  };
}

function named(text: string): readonly string[] {
  return [...text.matchAll(trigger)].map(([, category = '']) => category);
}

function takesPictures(category: Category): boolean {
  return (inputsOf[category] as readonly InputType[]).includes('image');
}
