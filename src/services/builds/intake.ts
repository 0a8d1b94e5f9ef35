import { createHash } from 'node:crypto';
import type { Caller } from '../../tenants/accounts/caller.ts';
import type { Acceptance, AcceptanceParts, AskContext } from './acceptance.ts';
import { type DemoAllowance, demoHits, requireLeft, tellState, tellTaken } from './allowance.ts';
import { type Build, isOver } from './build.ts';
import { askedFor, type BuildRequest } from './build-store.ts';

export type Intake = ReturnType<typeof createIntake>;

/** Accepts builds. An accepted build is stored, and reaches an end. Both methods throw `ServiceError` and `StoreError`. */
export function createIntake(
  { builds, runner }: Pick<AcceptanceParts, 'builds' | 'runner'>,
  { requireOpen, demoNetwork, requireDemoRoom, makeDemo, forTenant }: Acceptance,
  demo: DemoAllowance,
) {
  return {
    /** Accepts a demo build, or finds the one that the same client has just started with the same request and that goes on. */
    async startDemo(request: BuildRequest, client: string, context: AskContext): Promise<Build> {
      const { tellLimits } = context;
      requireOpen();
      const network = demoNetwork(client);
      const asked = askedFor(request);
      const fingerprint = createHash('sha256')
        .update(JSON.stringify([asked.prompt, request.template_id, request.spec, request.when_unsure]))
        .digest('base64url');
      const build = await builds.exclusively(async (db) => {
        const { state, same } = await demoHits(db, demo, network, fingerprint, builds);
        const found = same === null ? null : await builds.find(same, db);
        if (found !== null && !isOver(found)) {
          tellState(demo, state, tellLimits);
          return found;
        }
        requireLeft(demo, state, tellLimits);
        await requireDemoRoom(db);
        const made = makeDemo(network, context, asked);
        const hit = { job_id: made.id, client: network, request: fingerprint, at: made.created_at };
        await db.insertInto('demo_hits').values(hit).execute();
        tellTaken(demo, state, tellLimits);
        return builds.insert(db, made, null);
      });
      runner.kick();
      return build;
    },

    /** Accepts a build of a tenant as one request of its plan. */
    async start(request: BuildRequest, caller: Caller, context: AskContext) {
      requireOpen();
      const asked = askedFor(request);
      return forTenant(caller, 'createFactoryJob', context, async () => async () => asked);
    },
  };
}
