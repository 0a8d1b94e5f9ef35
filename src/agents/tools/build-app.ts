import { type AgentTool, type ToolContext, ToolError } from './tool.ts';

/** A build that has begun, with where it can be watched. */
export interface StartedBuild {
  readonly jobId: string;
  /** Name -> address. */
  readonly links: Readonly<Record<string, string>>;
}

/**
 * The way to the factory; each build is a request of the plan of its own. Throws `ServiceError` for a build that is not
 * accepted.
 */
export type StartBuild = (
  prompt: string,
  context: Pick<ToolContext, 'caller' | 'requestId' | 'signal'>,
) => Promise<StartedBuild>;

/** @param start null: there is no factory here, and the tool says so. */
export function buildApp(start: StartBuild | null): AgentTool {
  return {
    name: 'build_app',
    description:
      'Starts to build a small web app from a description and returns the links of the build, which takes a little while.',
    parameters: {
      type: 'object',
      properties: {
        prompt: {
          type: 'string',
          description: 'What the app is, for whom, what it keeps and what one can do with it.',
          minLength: 3,
          maxLength: 4000,
        },
      },
      required: ['prompt'],
      additionalProperties: false,
    },
    available: start !== null,
    async run(values, context) {
      if (!start) throw new ToolError('The build factory is not connected to this server.');
      if (!context.caller.scopes.has('factory'))
        throw new ToolError('The API key lacks the scope "factory", which a build needs.');
      const { jobId, links } = await start(String(values['prompt']), context);
      return JSON.stringify({ job_id: jobId, ...links });
    },
  };
}
