/**
 * Makes the operations that an agent has of its own in the contract, out of the general one: in the generator for the
 * built-in agents, and at the start of the server for those of the operator.
 */
import { variablesIn } from '../../lib/placeholders.ts';
import type { Document, Example, MediaType, Operation, Schema } from './document.ts';
import type { AgentExample, DeclaredAgent } from './own-operations.ts';
import { addDeclared, camelCase, capitalised, copyOfGeneral, freeName } from './own-operations.ts';

/** The general operation, from which the others are made. */
const general = '/v1/agents/{agent_id}/run';
/** The suffix of a name that is taken. */
const suffix = 'Agent';
/** The schema of a request to an agent that takes a text or a conversation, and no variables. */
const plainRequest = 'TextRunRequest';

export function runPathOf(id: string): string {
  return `/v1/agents/${id}/run`;
}

/** Adds the operation of each agent, such as `runAssistant`, with a schema of its own, and gives their ids in the same order. */
export function addAgents(contract: Document, agents: readonly DeclaredAgent[]): string[] {
  const names = agents.map(({ id }) => `run${capitalised(camelCase(id))}`);
  return addDeclared(contract, agents, names, suffix, addAgent);
}

export function summaryOf({ name }: DeclaredAgent): string {
  return `Run ${name.split(/\s+/).slice(0, 6).join(' ')}`;
}

/** The examples of an agent's input: its own, those that its schema has, or one for any text. */
export function examplesOf({ examples, inputSchema }: DeclaredAgent): readonly AgentExample[] {
  if (examples.length > 0) return examples;
  if (inputSchema === null) return [{ id: 'text', summary: 'A text', input: 'What can you do?', output }];
  const { examples: inputs } = inputSchema;
  return (Array.isArray(inputs) ? inputs : []).map((input, n) => ({
    id: `example${n + 1}`,
    summary: `Example ${n + 1}`,
    input: input as AgentExample['input'],
    output,
  }));
}

/** The request to an agent in an example. */
export function bodyOf(agent: DeclaredAgent, { input }: Pick<AgentExample, 'input'>): object {
  const names = variablesIn(agent.instructions);
  return {
    input,
    ...(names.length > 0 && { variables: Object.fromEntries(names.map((one) => [one, one])) }),
  };
}

const output = 'This is what the agent answers.';

function addAgent(contract: Document, agent: DeclaredAgent, operationId: string): void {
  const { schemas } = contract.components;
  const isTaken = (name: string) => `${name}RunRequest` in schemas || `${name}RunInput` in schemas;
  const prefix = freeName(capitalised(camelCase(agent.id)), isTaken, suffix);
  const named = (end: string) => ({ $ref: `#/components/schemas/${prefix}${end}` });
  if (agent.inputSchema) schemas[`${prefix}RunInput`] = agent.inputSchema;
  const input = agent.inputSchema ? named('RunInput') : null;
  // Agents that take a text and no variables take the same.
  const isPlain = input === null && variablesIn(agent.instructions).length === 0;
  const request = isPlain ? { $ref: `#/components/schemas/${plainRequest}` } : named('RunRequest');
  schemas[isPlain ? plainRequest : `${prefix}RunRequest`] = requestSchema(
    schemas['AgentRunRequest'] as ObjectSchema,
    agent,
    input,
  );

  const operation = copyOfGeneral(contract, general, agent.id);
  operation.operationId = operationId;
  operation.summary = summaryOf(agent);
  operation.description = descriptionOf(agent);
  operation.requestBody = {
    ...operation.requestBody,
    content: { 'application/json': { schema: request, examples: requestExamples(agent) } },
  };
  setReplyExamples(contract, operation, agent);
  contract.paths[runPathOf(agent.id)] = { post: operation };
}

interface ObjectSchema extends Schema {
  required: string[];
  properties: Record<string, Schema>;
}

function requestSchema(
  request: ObjectSchema,
  { instructions }: DeclaredAgent,
  ownInput: Schema | null,
): Schema {
  const { input = {}, variables = {}, ...others } = request.properties;
  const [text = {}, conversation = {}] = input.oneOf ?? [];
  const anyInput = {
    description: "What the agent is to do: a text, or a conversation whose last message is the user's.",
    oneOf: [text, conversation],
  };
  const names = variablesIn(instructions);
  const { additionalProperties, maxProperties: _, ...restOfVariables } = variables;
  const value = additionalProperties as Schema;
  const ownVariables = {
    ...restOfVariables,
    required: [...names],
    properties: Object.fromEntries(names.map((name) => [name, value])),
    additionalProperties: false,
  };
  return {
    ...request,
    required: names.length > 0 ? [...request.required, 'variables'] : request.required,
    properties: {
      input: ownInput ?? anyInput,
      ...(names.length > 0 && { variables: ownVariables }),
      ...others,
    },
  };
}

function descriptionOf({ id, description, maxSteps, maxTokens, maxSeconds }: DeclaredAgent): string {
  const number = (value: number) => value.toLocaleString('en');
  return [
    description.trim() || `Runs the agent \`${id}\`.`,
    `The same as \`POST ${general}\` with the id \`${id}\`: plain, or with \`"background": true\` as a run that continues by ` +
      `itself and is answered with 202 at once; \`POST ${runPathOf(id)}/stream\` gives it as Server-Sent Events. A run that ` +
      'has begun is answered with 200, however it ends: its `status` and `error` say how.',
    `**Limits**: one request of the key's plan, a body of 1 MiB, ${number(maxSteps)} calls of the model, ` +
      `${number(maxTokens)} tokens and ${number(maxSeconds)} seconds a run. **Errors**: 400 for an invalid field, 401 ` +
      'and 403 for the key, 429 when a limit of the plan is reached, 503 when the server runs its maximum.',
    '',
  ].join('\n\n');
}

function requestExamples(agent: DeclaredAgent): Record<string, Example> {
  const examples = examplesOf(agent);
  const bodies = examples.map(({ id, summary, ...example }) => [
    id,
    { summary, value: bodyOf(agent, example) },
  ]);
  const [first] = examples;
  if (!first) return {};
  const body = bodyOf(agent, first);
  return Object.fromEntries([
    ...bodies,
    ['background', { summary: 'In the background', value: { ...body, background: true } }],
  ]);
}

/** A run, as far as it is looked at in an example. */
interface ExampleRun {
  readonly steps: readonly { readonly type: string; readonly usage?: object }[];
}

/** Puts the agent into the general examples of what is answered. */
function setReplyExamples(contract: Document, { responses }: Operation, agent: DeclaredAgent): void {
  const agent_id = agent.id;
  const answer = examplesOf(agent)[0]?.output ?? output;
  const done = (run: ExampleRun) => {
    const last = run.steps.at(-1);
    const step = { ...last, index: 0, content: answer };
    return { ...run, agent_id, output: answer, steps: [step], usage: last?.usage };
  };
  const { 'application/json': whole } = responses['200']?.content ?? {};
  const { 'application/json': begun } = responses['202']?.content ?? {};
  const change = (media: MediaType | undefined, kept: Record<string, (value: never) => object>) => {
    if (!media?.examples) return;
    const given = media.examples;
    media.examples = Object.fromEntries(
      Object.entries(kept).map(([name, make]) => {
        const example = exampleOf(contract, given[name]);
        return [name, { ...example, value: make(example.value as never) }];
      }),
    );
  };
  change(whole, { succeeded: done, failed: (run: object) => ({ ...run, agent_id }) });
  change(begun, { running: (run: object) => ({ ...run, agent_id }) });
}

/** An example of the general operation, which may stand among the components. */
function exampleOf({ components }: Document, given: unknown): Example {
  const { $ref } = (given ?? {}) as { $ref?: string };
  const name = $ref?.split('/').at(-1) ?? '';
  const found = $ref === undefined ? given : components.examples[name];
  if (!found) throw new Error(`an example of POST ${general} is missing in the contract: ${name}`);
  return found as Example;
}
