import { createHash } from 'node:crypto';
import type { FactoryJob } from '../../../generated/types.gen.ts';
import { networkOf } from '../../lib/address.ts';
import type { Caller } from '../../tenants/accounts/caller.ts';
import { Acceptance, type AcceptanceParts, type AskContext, newBuildId } from './acceptance.ts';
import { type DemoAllowance, demoHits, requireLeft, tellState, tellTaken } from './allowance.ts';
import { type Build, isOver } from './build.ts';
import { askedFor, type BuildRequest } from './build-store.ts';
import type { StreamSlots } from './slots.ts';
import type { WireContext } from './view.ts';

export interface IntakeParts extends AcceptanceParts {
  readonly context: WireContext;
  readonly pseudonym: (text: string) => string;
  readonly demo: DemoAllowance;
  readonly streamSlots: StreamSlots;
}

/** Where builds are accepted. What is accepted is stored, and ends. Both methods throw `ServiceError` and `StoreError`. */
export class Intake extends Acceptance<IntakeParts> {
  /** Accepts a demo build, or finds the one that the same client has just started with the same request and that goes on. */
  async startDemo(
    request: BuildRequest,
    client: string,
    { requestId, tellLimits }: AskContext,
  ): Promise<Build> {
    const { builds, demo, pseudonym } = this.parts;
    this.requireOpen();
    this.parts.streamSlots.requireOne(networkOf(client));
    const asked = askedFor(request);
    const network = pseudonym(networkOf(client));
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
      await this.requireDemoRoom(db);
      const id = newBuildId();
      const made = this.make({ ...asked, id, tenantId: null, client: network, requestId });
      await db
        .insertInto('demo_hits')
        .values({ job_id: id, client: network, request: fingerprint, at: made.createdAt })
        .execute();
      tellTaken(demo, state, tellLimits);
      return builds.insert(db, made, null);
    });
    this.parts.runner.kick();
    return build;
  }

  /** Accepts a build of a tenant as one request of its plan. */
  async start(request: BuildRequest, caller: Caller, context: AskContext): Promise<FactoryJob> {
    this.requireOpen();
    const asked = askedFor(request);
    const { tenantId } = caller;
    const { requestId } = context;
    const build =
      (await this.madeBefore(context)) ??
      (await this.forTenant(caller, 'createFactoryJob', context, async (id) =>
        this.make({ ...asked, id, tenantId, requestId }),
      ));
    return this.accepted(build, this.parts.context);
  }
}
