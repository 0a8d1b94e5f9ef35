import type { Model, ModelList } from '../../../../../generated/types.gen.ts';

/** A model as the Gemini API shows it (https://ai.google.dev/api/models). */
export function geminiModel({ id }: Model) {
  return {
    name: `models/${id}`,
    displayName: id,
    supportedGenerationMethods: ['generateContent', 'countTokens', 'streamGenerateContent'],
  };
}

/** All of them, on one page. */
export function geminiModels({ data }: ModelList) {
  return { models: data.map(geminiModel) };
}
