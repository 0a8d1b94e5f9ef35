import { ServiceError } from '../../../../contract/errors.ts';
import { given } from '../../../../lib/json.ts';
import type { ModelCall } from '../../../../model/port.ts';
import { type Adaptations, fitTemperature } from '../../../upstream/settings.ts';
import type { Family } from './families.ts';

export interface Sampling {
  temperature?: number;
  top_p?: number;
  top_k?: number;
}

/** The least `top_p` that goes together with thinking. */
const minThinkingTopP = 0.95;

/**
 * How the model chooses its words. Throws `invalid_request` for a seed: who sends one depends on the same answer coming
 * again.
 * @param thinks with which the temperature is fixed (https://platform.claude.com/docs/en/build-with-claude/extended-thinking)
 */
export function samplingOf(
  call: ModelCall,
  family: Family,
  thinks: boolean,
  adaptations: Adaptations,
): Sampling {
  const { model } = call;
  if (call.seed !== undefined) {
    const message = `${model} takes no seed: it cannot give the same answer again.`;
    throw new ServiceError('invalid_request', message, { param: 'seed' });
  }
  const ignored = (param: string, said: string) => adaptations.tell('parameter_ignored', param, said);
  if (call.frequencyPenalty)
    ignored('frequency_penalty', `knows no frequency_penalty; ${call.frequencyPenalty} was left out.`);
  if (call.presencePenalty)
    ignored('presence_penalty', `knows no presence_penalty; ${call.presencePenalty} was left out.`);

  const temperature = temperatureOf(call, family, thinks, adaptations);
  const { topP, topK } = call;
  const samples = family.sampling !== 'none';
  const sampling: Sampling = given({ temperature });
  if (topP !== undefined) {
    if (!samples) ignored('top_p', `takes no top_p; ${topP} was left out.`);
    else if (thinks && topP < minThinkingTopP)
      ignored('top_p', `takes a top_p of ${minThinkingTopP} or more while it thinks; ${topP} was left out.`);
    else if (family.sampling === 'alone' && temperature !== undefined && call.temperatureGiven)
      ignored('top_p', `takes a temperature or a top_p, not both; the top_p of ${topP} was left out.`);
    else {
      sampling.top_p = topP;
      if (family.sampling === 'alone') delete sampling.temperature;
    }
  }
  if (topK !== undefined) {
    if (!samples) ignored('top_k', `takes no top_k; ${topK} was left out.`);
    else if (thinks) ignored('top_k', `takes no top_k while it thinks; ${topK} was left out.`);
    else sampling.top_k = topK;
  }
  return sampling;
}

function temperatureOf(
  call: ModelCall,
  family: Family,
  thinks: boolean,
  adaptations: Adaptations,
): number | undefined {
  const byName = family.sampling === 'none' ? 'unsupported' : { max: 1 };
  const temperature = fitTemperature(call, call.temperatureRange ?? byName, adaptations);
  if (!thinks || temperature === undefined || temperature === 1) return temperature;
  if (call.temperatureGiven) {
    const said = `takes no temperature while it thinks; ${temperature} was left out.`;
    adaptations.tell('temperature_ignored', 'temperature', said);
  }
  return undefined;
}
