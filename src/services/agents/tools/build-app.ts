import { ulid } from '../../../lib/ids.ts';
import type { Intake } from '../../builds/intake.ts';
import { type AgentTool, type ToolContext, ToolError } from './tool.ts';

/**
 * The way to the factory; each build is a request of the plan of its own. `links` are the addresses where it can be
 * watched, by name. Throws `ServiceError` for a build that is not accepted.
 */
export type StartBuild = (
  prompt: string,
  context: Pick<ToolContext, 'caller' | 'requestId' | 'signal' | 'tagsHeader'>,
) => Promise<{ readonly jobId: string; readonly links: Readonly<Record<string, string>> }>;

/** Starts builds of the factory, in the name of the tenant whose agent asks. */
export function startBuildIn(intake: Pick<Intake, 'start'>): StartBuild {
  return async (prompt, { caller, tagsHeader = null }) => {
    // The reply is the run's, with the state of the limits when it began.
    const context = { requestId: `req_${ulid()}`, tellLimits: () => undefined, tagsHeader };
    const { id, links } = await intake.start({ prompt }, caller, context);
    const given = Object.entries(links).filter((entry): entry is [string, string] => entry[1] !== null);
    return { jobId: id, links: Object.fromEntries(given) };
  };
}

export function buildApp(start: StartBuild): AgentTool {
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
    available: true,
    async run(values, context) {
      if (!context.caller.scopes.has('factory'))
        throw new ToolError('The API key lacks the scope "factory", which a build needs.');
      const { jobId, links } = await start(String(values['prompt']), context);
      return JSON.stringify({ job_id: jobId, ...links });
    },
  };
}
