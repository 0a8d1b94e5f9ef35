import type { RevisionRequest } from '../../../generated/types.gen.ts';
import type { Caller } from '../../tenants/accounts/caller.ts';
import type { Acceptance, AcceptanceParts, AskContext } from './acceptance.ts';
import { type DemoAllowance, requireLeft, revisionsOfClient, tellTaken } from './allowance.ts';
import type { Build } from './build.ts';
import { expired, notNewest, notRevisable, otherNetwork } from './build-errors.ts';
import type { Db } from './build-reader.ts';
import { revising } from './change.ts';
import { newestStanding, nextNumber, revisionNumbered } from './family.ts';
import type { Owner } from './service.ts';

/**
 * Where revisions are accepted: each is a build from the newest one of its app. Both methods throw `ServiceError` and
 * `StoreError`.
 * @param find the builds of an owner; throws `not_found`
 */
export function createRevisionIntake(
  { builds, runner, toolSlots, defaultMode }: AcceptanceParts,
  { requireOpen, demoNetwork, requireDemoRoom, makeDemo, forTenant }: Acceptance,
  revisions: DemoAllowance,
  find: (id: string, owner: Owner) => Promise<Build>,
) {
  async function requireRevisable(base: Build, db: Db = builds.db): Promise<void> {
    if (base.purged_at !== null || base.expires_at <= builds.now()) throw expired(base.expires_at);
    const newest = await newestStanding(db, base.root_id);
    if (newest !== null && newest.id !== base.id) throw notNewest(newest.revision, newest.id);
    if (newest?.status !== 'succeeded')
      throw notRevisable(
        newest === null
          ? 'The build did not succeed, so there is nothing to revise.'
          : 'The build is not done yet. Revise it when it is.',
      );
  }

  /** Returns the function that makes the next revision, which throws if another has come first. */
  async function revised(base: Build, request: RevisionRequest) {
    const { root_id, id: base_id, prompt } = base;
    const made = await revising(base, request, {
      toolSlots,
      byModel: defaultMode.mode === 'model',
      revision: (number) => revisionNumbered(builds.db, root_id, number),
    });
    return async (db: Db) => {
      await requireRevisable(base, db);
      return { ...made, prompt, root_id, base_id, revision: await nextNumber(db, root_id) };
    };
  }

  return {
    /** Accepts a revision of a demo build, asked for from the network that asked for the build. */
    async startDemo(
      id: string,
      request: RevisionRequest,
      client: string,
      context: AskContext,
    ): Promise<Build> {
      const { tellLimits } = context;
      requireOpen();
      const network = demoNetwork(client);
      const base = await find(id, null);
      if (base.client !== network && base.purged_at === null) throw otherNetwork();
      await requireRevisable(base);
      const requireAllowance = async (db = builds.db) => {
        const used = await revisionsOfClient(db, builds, network, revisions);
        requireLeft(revisions, used, tellLimits);
        return used;
      };
      await requireAllowance();
      const next = await revised(base, request);
      const build = await builds.exclusively(async (db) => {
        const used = await requireAllowance(db);
        await requireDemoRoom(db);
        const made = await next(db);
        tellTaken(revisions, used, tellLimits);
        return builds.insert(db, makeDemo(network, context, made), null);
      });
      runner.kick();
      return build;
    },

    /** Accepts a revision of a tenant's build as one request of its plan. */
    async start(id: string, request: RevisionRequest, caller: Caller, context: AskContext) {
      requireOpen();
      return forTenant(caller, 'createFactoryRevision', context, async () => {
        const base = await find(id, caller.tenantId);
        await requireRevisable(base);
        return revised(base, request);
      });
    },
  };
}
