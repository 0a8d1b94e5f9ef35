import type { AgentRunRequest, ErrorDetail } from '../../../generated/types.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import { variablesIn, withVariables } from '../../lib/placeholders.ts';
import { messagesOf } from '../../model/contract-form.ts';
import { type ModelMessage, said } from '../../model/parts.ts';
import type { Agent } from './agent.ts';
import { compileSchema, detailsOf } from './schemas.ts';

/** What the model is told at the beginning of a run. Throws `invalid_request`, which names each field that is wrong. */
export async function conversationOf(agent: Agent, request: AgentRunRequest): Promise<ModelMessage[]> {
  const { input, variables = {} } = request;
  checkVariables(agent, variables);
  const instructions = withVariables(agent.instructions, variables);
  const system: ModelMessage[] = instructions === '' ? [] : [said('system', instructions)];
  if (typeof input === 'object' && !Array.isArray(input)) {
    if (!agent.inputSchema) throw invalid([wrong('input', 'type', 'must be a text or a list of messages')]);
    const validate = await compileSchema(agent.inputSchema);
    if (!validate(input)) throw invalid(detailsOf(validate.errors, 'input'));
    return [...system, said('user', JSON.stringify(input))];
  }
  if (agent.inputSchema)
    throw invalid([wrong('input', 'type', 'must be an object that fits the input_schema')]);
  if (typeof input === 'string') return [...system, said('user', input)];
  if (input.at(-1)?.role !== 'user')
    throw invalid([
      wrong(`input[${input.length - 1}].role`, 'const', 'must be "user": the last message is theirs'),
    ]);
  return [...system, ...messagesOf(input)];
}

function checkVariables({ instructions }: Agent, variables: NonNullable<AgentRunRequest['variables']>): void {
  const names = variablesIn(instructions);
  const details = [
    ...names
      .filter((name) => !Object.hasOwn(variables, name))
      .map((name) => wrong(`variables.${name}`, 'required', 'is required')),
    ...Object.keys(variables)
      .filter((name) => !names.includes(name))
      .map((name) => {
        const known = names.length > 0 ? `; there are ${names.join(', ')}` : '; this agent has none';
        return wrong(`variables.${name}`, 'unknown_field', `is not a variable of the agent${known}`);
      }),
  ];
  if (details.length > 0) throw invalid(details);
}

function wrong(path: string, code: string, message: string): ErrorDetail {
  return { path, code, message };
}

function invalid(details: ErrorDetail[]): ServiceError {
  const [first] = details;
  return new ServiceError('invalid_request', `${first?.path} ${first?.message}.`, { details });
}
