import type { Meter } from '@opentelemetry/api';
import { genAi } from '../../lib/gen-ai-conventions.ts';
import type { Attributes } from '../../lib/trace.ts';
import type { SpanEnd } from './span.ts';

/** Buckets of the conventions for durations, in seconds, and for numbers of tokens. */
const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const tokens = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

/**
 * Counts calls of models by the conventions, from what their spans say, whether these are sampled or not.
 * @param latest in place of one histogram of tokens, one for each direction, as the conventions are about to have it
 *   (https://github.com/open-telemetry/semantic-conventions-genai/pull/374)
 */
export function genAiMetrics(meter: Meter, latest: boolean): (end: SpanEnd) => void {
  const duration = meter.createHistogram('gen_ai.client.operation.duration', {
    description: 'Duration of a call of a model.',
    unit: 's',
    advice: { explicitBucketBoundaries: seconds },
  });
  const firstChunk = meter.createHistogram('gen_ai.client.operation.time_to_first_chunk', {
    description: 'From the call of a model to the first piece of its streamed answer.',
    unit: 's',
    advice: { explicitBucketBoundaries: seconds },
  });
  const counted = (name: string, description: string) =>
    meter.createHistogram(name, {
      description,
      unit: '{token}',
      advice: { explicitBucketBoundaries: tokens },
    });
  const usage = latest ? null : counted('gen_ai.client.token.usage', 'Tokens that a call of a model used.');
  const input = latest
    ? counted(
        'gen_ai.client.inference.operation.input_tokens',
        'Tokens of a prompt, those of the cache included.',
      )
    : null;
  const output = latest
    ? counted('gen_ai.client.inference.operation.output_tokens', 'Tokens of an answer.')
    : null;
  return ({ kind, attributes, durationMs, failure }) => {
    if (kind !== 'client' || attributes[genAi.operation] === undefined) return;
    const labels = labelsOf(attributes, failure);
    duration.record(durationMs / 1000, labels);
    const {
      [genAi.inputTokens]: read,
      [genAi.outputTokens]: written,
      [genAi.timeToFirstChunk]: first,
    } = attributes;
    if (typeof first === 'number') firstChunk.record(first, labels);
    if (typeof read === 'number') {
      usage?.record(read, { ...labels, [genAi.tokenType]: 'input' });
      input?.record(read, labels);
    }
    if (typeof written === 'number') {
      usage?.record(written, { ...labels, [genAi.tokenType]: 'output' });
      output?.record(written, labels);
    }
  };
}

function labelsOf(attributes: Attributes, failure: string | null): Record<string, string> {
  const names = [genAi.operation, genAi.provider, genAi.requestModel];
  return {
    ...Object.fromEntries(names.map((name) => [name, String(attributes[name])])),
    ...(failure !== null && { 'error.type': failure }),
  };
}
