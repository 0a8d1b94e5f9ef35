/** The sandbox's models, and how they behave. */
const sandboxModels = {
  sandbox: 'Says what it is and quotes the question.',
  'sandbox/echo': 'Repeats the last user message.',
  'sandbox/slow': 'Is silent for 2 seconds, then gives a token each 100 ms.',
  'sandbox/rate-limited': 'Fails with provider_rate_limited, to be tried again after 7 seconds.',
  'sandbox/error': 'Fails with provider_error.',
  'sandbox/cut-stream': 'Breaks off in the middle of the answer.',
  'sandbox/late-error': 'Fails with provider_error in the middle of the answer.',
  'sandbox/thinking': 'Tells a made-up thought before it answers.',
  'sandbox/parallel-tools': 'Calls every tool that it is offered at once, then tells what they gave.',
  'sandbox/refusal': 'Refuses to answer.',
  'sandbox/length': 'Stops in the middle of the answer, as if it had reached its maximum of tokens.',
  'sandbox/citations': 'Answers with a made-up citation.',
  'sandbox/empty': 'Answers with nothing at all.',
} as const;

export type SandboxModel = keyof typeof sandboxModels;

export const sandboxNames = Object.keys(sandboxModels) as readonly SandboxModel[];

export function isSandboxModel(name: string): name is SandboxModel {
  return Object.hasOwn(sandboxModels, name);
}
