import type { FactoryPlan, AppSpec as SpecOnWire } from '../../../generated/types.gen.ts';
import {
  type ModelUsage,
  type Planned,
  type Planner,
  type Reading,
  templateVersion,
} from '../../factory/factory.ts';
import { networkOf } from '../../lib/address.ts';
import { ulid } from '../../lib/ids.ts';
import type { Caller } from '../../tenants/accounts/caller.ts';
import type { MeteredRequest } from '../../tenants/metering/demand.ts';
import { admit, type Delivered, nothingDelivered } from '../../tenants/metering/meter.ts';
import type { AcceptanceParts, AskContext } from './acceptance.ts';
import { type DemoAllowance, plansOfClient, requireLeft, tellTaken } from './allowance.ts';
import { askedFor, type BuildRequest } from './build-store.ts';
import { tokensOf } from './settle-builds.ts';
import { designView, unservedView } from './view.ts';

interface PlanningParts
  extends Pick<AcceptanceParts, 'builds' | 'toolSlots' | 'admissions' | 'pseudonym' | 'defaultMode'> {
  readonly plans: DemoAllowance;
  /** Null: rules alone plan. */
  readonly loadPlanner: (() => Promise<Planner>) | null;
}

/** Says what would be built. Both methods throw `ServiceError` and `StoreError`. */
export function createPlanning(parts: PlanningParts) {
  const { builds, toolSlots, admissions, pseudonym, plans, defaultMode, loadPlanner } = parts;
  return {
    /** Plans by rules for a client without a key. */
    async forDemo(request: BuildRequest, client: string, { tellLimits }: AskContext): Promise<FactoryPlan> {
      const asked = askedFor(request);
      const network = pseudonym(networkOf(client));
      return toolSlots.use(async (tools) => {
        await builds.exclusively(async (db) => {
          const used = await plansOfClient(db, builds, network, plans);
          requireLeft(plans, used, tellLimits);
          const hit = { id: ulid(), client: network, at: builds.now() };
          await db.insertInto('plan_hits').values(hit).execute();
          tellTaken(plans, used, tellLimits);
        });
        return planView(byRules(await tools.plan(asked.prompt, asked.options)));
      });
    },

    /** Plans for a tenant as one request of its plan: by the model where there is one. */
    async forTenant(
      request: BuildRequest,
      caller: Caller,
      context: AskContext & Required<Pick<MeteredRequest, 'signal'>>,
    ): Promise<FactoryPlan> {
      const asked = askedFor(request);
      const metered = { ...context, caller, operation: 'createFactoryPlan' };
      return toolSlots.use(async ({ plan }) => {
        const byModel = { model: defaultMode.model, callsNone: defaultMode.mode === 'embedded' };
        const meter = await admit(admissions, metered, byModel);
        let delivered: Delivered = nothingDelivered;
        const onUsage = (usage: ModelUsage) => {
          delivered = { served: usage.served && { ...usage.served, warnings: [] }, usage: tokensOf(usage) };
        };
        try {
          const planner = await loadPlanner?.();
          const planned = planner
            ? await planner({ ...asked, signal: context.signal, byRules: plan, onUsage })
            : byRules(await plan(asked.prompt, asked.options));
          await meter.succeeded(delivered);
          return planView(planned);
        } catch (error) {
          await meter.failed(error, delivered);
          throw error;
        }
      });
    },
  };
}

const byRules = (reading: Reading): Planned => ({
  reading,
  engine: { mode: 'embedded', model: null },
  degradedFrom: null,
  notices: [],
});

function planView({ reading, engine, degradedFrom, notices, design }: Planned): FactoryPlan {
  const { spec, notTakenUp, doubt = null } = reading;
  const unserved = reading.unserved ?? doubt;
  const templateId = engine.mode === 'embedded' ? `${spec.kind}@${templateVersion}` : null;
  return {
    object: 'factory.plan',
    spec: spec as SpecOnWire,
    not_taken_up: [...notTakenUp],
    unserved: unserved && unservedView(unserved),
    ...designView(design),
    engine: { ...engine, degraded_from: degradedFrom, template_id: templateId },
    notices: [...notices],
  };
}
