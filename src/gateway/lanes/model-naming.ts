import { isObject } from '../../lib/json.ts';
import type { Body } from '../wires/wire.ts';
import type { ModelNaming } from './native-call.ts';

/*
 * Google has the model in the path, and once more in some bodies, where it must be the same
 * (https://ai.google.dev/api/embeddings#method:-models.batchembedcontents).
 */

/** For requests for vectors: one, or a list of them. */
export const namedInRequests: ModelNaming = ({ path, body }, model) => {
  const asked = path['model'];
  const { requests } = body;
  return {
    ...(names(body, asked, model) && { model: resourceOf(model) }),
    ...(Array.isArray(requests) &&
      requests.some((request) => names(request, asked, model)) && {
        requests: requests.map((request: unknown) => named(request, asked, model)),
      }),
  };
};

/** For a prompt whose tokens are to be counted. */
export const namedInPrompt: ModelNaming = ({ path, body }, model) => {
  for (const field of ['generateContentRequest', 'generate_content_request']) {
    if (names(body[field], path['model'], model))
      return { [field]: named(body[field], path['model'], model) };
  }
  return {};
};

/** Whether an object has the model by the client's name, where the vendor has another. Any other is the vendor's to refuse. */
function names(value: unknown, asked: string | undefined, model: string): value is Body {
  if (asked === undefined || asked === model || !isObject(value)) return false;
  return value['model'] === asked || value['model'] === `models/${asked}`;
}

function named(value: unknown, asked: string | undefined, model: string): unknown {
  return names(value, asked, model) ? { ...value, model: resourceOf(model) } : value;
}

/** A model as Google's bodies name it: with its kind. */
function resourceOf(model: string): string {
  return /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`;
}
