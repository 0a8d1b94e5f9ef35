import type { TemplateId } from '../../../generated/types.gen.ts';
import { appSpecSchema, kindOfApp, offersOf, templateNames, variantsOf } from '../../factory/factory.ts';
import type { PlanApp, PlanForms } from '../assets/plan-schema.js';

/** What the form of a plan is made from. */
export function planForms(): PlanForms {
  return {
    schema: appSpecSchema,
    kinds: templateNames.map((id) => {
      const variants = variantsOf(id);
      return {
        id,
        name: kindOfApp(id).name,
        apps: Object.fromEntries(
          (variants.length === 0 ? [''] : variants).map((variant) => [variant, appOf(id, variant)]),
        ),
      };
    }),
  };
}

function appOf(id: TemplateId, variant: string): PlanApp {
  const { uses, settings, copy } = kindOfApp(id, variant);
  return {
    uses,
    features: offersOf(id, variant),
    settings: Object.entries(settings).map(([name, { description, min, max, value }]) => ({
      name,
      description: `${description} From ${min} to ${max}.`,
      value: String(value),
      options: [],
    })),
    copy: Object.entries(copy).map(([name, { description, value = '', options = [] }]) => ({
      name,
      description,
      value,
      options,
    })),
  };
}
