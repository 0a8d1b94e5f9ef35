import type { OutputConfig } from '@anthropic-ai/sdk/resources/messages/messages';
import type { ResponseFormat, Warning } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';

/** What asks for the form of an answer: the wire's own setting, or words where it has none. */
export interface Form {
  readonly config?: OutputConfig;
  readonly instruction?: string;
  readonly warning?: Warning;
}

/**
 * Structured outputs came with 4.5 and Opus 4.1; there is no mode for JSON of any shape
 * (https://platform.claude.com/docs/en/build-with-claude/structured-outputs). Throws `invalid_request` for a schema
 * that the model cannot be held to.
 */
export function formOf(model: string, format: ResponseFormat): Form {
  if (format.type === 'text') return {};
  if (format.type === 'json_object') {
    const message = `${model} has no mode for JSON of any shape; it was told in words to answer with a JSON object.`;
    return {
      instruction: 'Answer with one JSON object and nothing else: no other text, no code fence.',
      warning: { code: 'response_format_adapted', message, param: 'response_format' },
    };
  }
  if (withoutSchemas.test(model)) {
    const message = `${model} cannot be held to a JSON schema; ask for json_object, or a newer model.`;
    throw new ServiceError('invalid_request', message, { param: 'response_format.type' });
  }
  const { json_schema: asked } = format;
  const described = asked.description !== undefined && !('description' in asked.schema);
  const schema = described ? { description: asked.description, ...asked.schema } : asked.schema;
  return { config: { format: { type: 'json_schema', schema } } };
}

const withoutSchemas = /^claude-(?:[23]|instant|(?:sonnet|opus|haiku)-4(?:-0)?(?:$|[-@]\d{8}))/;
