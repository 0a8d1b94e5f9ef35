import type { TemplateId } from '../../../generated/types.gen.ts';
import {
  appSpecSchema,
  iconChoices,
  kindOfApp,
  offersOf,
  templateNames,
  variantsOf,
} from '../../factory/factory.ts';
import type { PlanApp, PlanForms } from '../assets/plan-schema.js';

/** What the form of a plan is made from. */
export function planForms(): PlanForms {
  const drawings = new Map(iconChoices().map(({ name, drawing }) => [name, drawing]));
  return {
    schema: appSpecSchema,
    kinds: templateNames.map((id) => {
      const variants = variantsOf(id);
      const { name, description, accent, icon } = kindOfApp(id);
      return {
        id,
        name,
        description,
        accent,
        drawing: drawings.get(icon) ?? [],
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
