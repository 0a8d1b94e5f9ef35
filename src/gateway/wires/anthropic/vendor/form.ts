import type { OutputConfig } from '@anthropic-ai/sdk/resources/messages/messages';
import type { ResponseFormat, Warning } from '../../../../../generated/types.gen.ts';
import { ServiceError } from '../../../../contract/errors.ts';

/** What asks for the form of an answer: the wire's own setting, or words where it has none. */
export interface Form {
  readonly config?: OutputConfig;
  readonly instruction?: string;
  readonly warning?: Warning;
}

/**
 * There is no mode for JSON of any shape (https://platform.claude.com/docs/en/build-with-claude/structured-outputs).
 * Throws `invalid_request` for a schema where the model cannot be held to one.
 */
export function formOf(model: string, format: ResponseFormat, schemas: boolean): Form {
  if (format.type === 'text') return {};
  if (format.type === 'json_object') {
    const message = `${model} has no mode for JSON of any shape; it was told in words to answer with a JSON object.`;
    return {
      instruction: 'Answer with one JSON object and nothing else: no other text, no code fence.',
      warning: { code: 'response_format_adapted', message, param: 'response_format' },
    };
  }
  if (!schemas) {
    const message = `${model} cannot be held to a JSON schema; ask for json_object, or a newer model.`;
    throw new ServiceError('invalid_request', message, { param: 'response_format.type' });
  }
  const { json_schema: asked } = format;
  const described = asked.description !== undefined && !('description' in asked.schema);
  const schema = described ? { description: asked.description, ...asked.schema } : asked.schema;
  return { config: { format: { type: 'json_schema', schema } } };
}
