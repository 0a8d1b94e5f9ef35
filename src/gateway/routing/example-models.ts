import type { ModelGateway } from '../../model/port.ts';
import { builtinModels } from './builtin.ts';

/** Vendors whose interfaces clients speak. */
const vendors = ['openai', 'anthropic', 'gemini'] as const;

/** Names of models to ask for, by the interface that asks. */
export type ModelsByVendor = Readonly<Record<(typeof vendors)[number], string>>;

/** The model that each vendor's examples name. */
export const vendorDefaults: ModelsByVendor = byVendor((vendor) => builtinModels(vendor)[0]?.id ?? vendor);

/** The same on a server that may not know all of them: where it does not, its own default model. */
export function exampleModels(models: Pick<ModelGateway, 'find' | 'list'>): ModelsByVendor {
  return byVendor((vendor) => {
    try {
      return models.find(vendorDefaults[vendor]).id;
    } catch {
      return models.list().default_model;
    }
  });
}

function byVendor(nameOf: (vendor: keyof ModelsByVendor) => string): ModelsByVendor {
  return { openai: nameOf('openai'), anthropic: nameOf('anthropic'), gemini: nameOf('gemini') };
}
