import type { Warning } from '../../generated/types.gen.ts';
import type { ModelCall, TemperatureRange } from './port.ts';

export interface FittedTemperature {
  /** What to send; undefined: nothing. */
  readonly temperature: number | undefined;
  readonly warnings: readonly Warning[];
}

/** Brings the temperature into the range that the model takes, with a warning where the client had chosen it. */
export function fitTemperature(call: ModelCall, range: TemperatureRange): FittedTemperature {
  const { model, temperature } = call;
  if (temperature === undefined) return { temperature, warnings: [] };
  if (range === 'unsupported') {
    const message = `${model} takes no temperature; ${temperature} was left out.`;
    return fitted(call, undefined, { code: 'temperature_ignored', message, param: 'temperature' });
  }
  if (temperature <= range.max) return { temperature, warnings: [] };
  const message = `${model} takes a temperature of 0 to ${range.max}; ${temperature} was lowered to ${range.max}.`;
  return fitted(call, range.max, { code: 'temperature_adapted', message, param: 'temperature' });
}

function fitted(call: ModelCall, temperature: number | undefined, warning: Warning): FittedTemperature {
  return { temperature, warnings: call.temperatureGiven ? [warning] : [] };
}
