import type { FactoryJob, RevisionRequest } from '../../../generated/types.gen.ts';
import { networkOf } from '../../lib/address.ts';
import type { Caller } from '../../tenants/accounts/caller.ts';
import { Acceptance, type AskContext, newBuildId } from './acceptance.ts';
import { type DemoAllowance, requireLeft, revisionsOfClient, tellTaken } from './allowance.ts';
import type { Build } from './build.ts';
import { expired, notNewest, notRevisable, otherNetwork } from './build-errors.ts';
import type { Db } from './build-reader.ts';
import { type Revising, revising } from './change.ts';
import { newestStanding, nextNumber, revisionNumbered } from './family.ts';
import type { IntakeParts } from './intake.ts';
import type { Owner } from './service.ts';
import type { ToolSlots } from './slots.ts';

interface RevisionParts extends Omit<IntakeParts, 'demo'> {
  readonly toolSlots: ToolSlots;
  readonly revisions: DemoAllowance;
  /** The builds of an owner; throws `not_found`. */
  readonly find: (id: string, owner: Owner) => Promise<Build>;
}

/**
 * Where revisions are accepted: each is a build from the newest one of its app. Both methods throw `ServiceError` and
 * `StoreError`.
 */
export class RevisionIntake extends Acceptance<RevisionParts> {
  /** Accepts a revision of a demo build, asked for from the network that asked for the build. */
  async startDemo(
    id: string,
    request: RevisionRequest,
    client: string,
    { requestId, tellLimits }: AskContext,
  ): Promise<Build> {
    const { builds, pseudonym, revisions, streamSlots, runner } = this.parts;
    this.requireOpen();
    streamSlots.requireOne(networkOf(client));
    const base = await this.parts.find(id, null);
    const network = pseudonym(networkOf(client));
    if (base.client !== network && base.purgedAt === null) throw otherNetwork();
    await this.#requireRevisable(base);
    const requireAllowance = async (db?: Db) => {
      const used = await revisionsOfClient(db ?? builds.db, builds, network, revisions);
      requireLeft(revisions, used, tellLimits);
      return used;
    };
    await requireAllowance();
    const made = await this.#revising(base, request);
    const build = await builds.exclusively(async (db) => {
      const used = await requireAllowance(db);
      await this.requireDemoRoom(db);
      const revision = await this.#numbered(base, made, db);
      const next = { ...made, id: newBuildId(), prompt: base.prompt, tenantId: null, client: network };
      tellTaken(revisions, used, tellLimits);
      return builds.insert(db, this.make({ ...next, revision, requestId }), null);
    });
    runner.kick();
    return build;
  }

  /** Accepts a revision of a tenant's build as one request of its plan. */
  async start(
    id: string,
    request: RevisionRequest,
    caller: Caller,
    context: AskContext,
  ): Promise<FactoryJob> {
    const { tenantId } = caller;
    const { requestId } = context;
    this.requireOpen();
    const before = await this.madeBefore(context);
    if (before) return this.accepted(before, this.parts.context);
    const base = await this.parts.find(id, tenantId);
    await this.#requireRevisable(base);
    const made = await this.#revising(base, request);
    const build = await this.forTenant(caller, 'createFactoryRevision', context, async (nextId, db) => {
      const revision = await this.#numbered(base, made, db);
      const { prompt } = base;
      return this.make({ ...made, id: nextId, prompt, tenantId, revision, requestId });
    });
    return this.accepted(build, this.parts.context);
  }

  async #requireRevisable(base: Build, db?: Db): Promise<void> {
    const { builds } = this.parts;
    if (base.purgedAt !== null || base.expiresAt <= builds.now()) throw expired(base.expiresAt);
    const newest = await newestStanding(db ?? builds.db, base.revision.rootId);
    if (newest !== null && newest.id !== base.id) throw notNewest(newest.revision.number, newest.id);
    if (newest?.status !== 'succeeded')
      throw notRevisable(
        newest === null
          ? 'The build did not succeed, so there is nothing to revise.'
          : 'The build is not done yet. Revise it when it is.',
      );
  }

  #revising(base: Build, request: RevisionRequest): Promise<Revising> {
    const { builds, toolSlots, defaultMode } = this.parts;
    return revising(base, request, {
      toolSlots,
      byModel: defaultMode.mode === 'model',
      revision: (number) => revisionNumbered(builds.db, base.revision.rootId, number),
    });
  }

  /** Which revision the next one is. Throws where another has come first. */
  async #numbered(base: Build, { change }: Revising, db: Db): Promise<Build['revision']> {
    await this.#requireRevisable(base, db);
    const { rootId } = base.revision;
    return { rootId, baseId: base.id, number: await nextNumber(db, rootId), change };
  }
}
