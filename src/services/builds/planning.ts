import type { FactoryPlan, AppSpec as SpecOnWire } from '../../../generated/types.gen.ts';
import {
  type BuildMode,
  type Planned,
  type Planner,
  type Reading,
  templateVersion,
} from '../../factory/factory.ts';
import { networkOf } from '../../lib/address.ts';
import { ulid } from '../../lib/ids.ts';
import type { Caller } from '../../tenants/accounts/caller.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import type { MeteredRequest } from '../../tenants/metering/demand.ts';
import { admit, type Delivered, nothingDelivered } from '../../tenants/metering/meter.ts';
import type { AskContext } from './acceptance.ts';
import { type DemoAllowance, plansOfClient, requireLeft, tellTaken } from './allowance.ts';
import { type Asked, askedFor, type BuildRequest, type BuildStore } from './build-store.ts';
import { tokensOf } from './settle-builds.ts';
import type { ToolSlots } from './slots.ts';
import { designView, unservedView } from './view.ts';

interface PlanningParts {
  readonly builds: BuildStore;
  readonly toolSlots: ToolSlots;
  readonly admissions: Admissions;
  readonly pseudonym: (text: string) => string;
  readonly plans: DemoAllowance;
  readonly defaultMode: BuildMode;
  /** Null: rules alone plan. */
  readonly loadPlanner: (() => Promise<Planner>) | null;
}

/** Says what would be built. Both methods throw `ServiceError` and `StoreError`. */
export class Planning {
  readonly #parts: PlanningParts;

  constructor(parts: PlanningParts) {
    this.#parts = parts;
  }

  /** Plans by rules for somebody without a key. */
  async forDemo(request: BuildRequest, client: string, { tellLimits }: AskContext): Promise<FactoryPlan> {
    const { builds, toolSlots, pseudonym, plans } = this.#parts;
    const asked = askedFor(request);
    const network = pseudonym(networkOf(client));
    return toolSlots.use(async (tools) => {
      await builds.exclusively(async (db) => {
        const used = await plansOfClient(db, builds, network, plans);
        requireLeft(plans, used, tellLimits);
        await db.insertInto('plan_hits').values({ id: ulid(), client: network, at: builds.now() }).execute();
        tellTaken(plans, used, tellLimits);
      });
      return planView(byRules(await tools.plan(asked.prompt, asked.options)));
    });
  }

  /** Plans for a tenant as one request of its plan: by the model where there is one. */
  async forTenant(
    request: BuildRequest,
    caller: Caller,
    context: AskContext & Required<Pick<MeteredRequest, 'signal'>>,
  ): Promise<FactoryPlan> {
    const { toolSlots, admissions, defaultMode } = this.#parts;
    const asked = askedFor(request);
    const metered = { ...context, caller, operation: 'createFactoryPlan' };
    return toolSlots.use(async (tools) => {
      const byModel = { model: defaultMode.model, callsNone: defaultMode.mode === 'embedded' };
      const meter = await admit(admissions, metered, byModel);
      let delivered: Delivered = nothingDelivered;
      try {
        const planned = await this.#planned(asked, context.signal, tools.plan, (usage) => {
          delivered = { served: usage.served && { ...usage.served, warnings: [] }, usage: tokensOf(usage) };
        });
        await meter.succeeded(delivered);
        return planView(planned);
      } catch (error) {
        await meter.failed(error, delivered);
        throw error;
      }
    });
  }

  async #planned(
    asked: Asked,
    signal: AbortSignal,
    plan: (prompt: string, options: Asked['options']) => Promise<Reading>,
    onUsage: Parameters<Planner>[0]['onUsage'],
  ): Promise<Planned> {
    const { loadPlanner } = this.#parts;
    if (loadPlanner === null) {
      return byRules(await plan(asked.prompt, asked.options));
    }
    const planner = await loadPlanner();
    return planner({ ...asked, signal, byRules: plan, onUsage });
  }
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
