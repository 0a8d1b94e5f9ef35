import { appSpecSchema } from '../../../generated/app-spec.gen.ts';
import { templateList } from '../../factory/catalogue.ts';
import { variants } from '../../factory/spec.ts';
import { offersOf } from '../../factory/templates/offers.ts';
import type { PlanForms } from '../assets/plan-schema.js';

/** The members of a plan that the apps of a kind show, besides those that all have. */
const uses: Readonly<Record<string, readonly string[]>> = {
  tracker: ['entity', 'seed'],
  habits: ['seed'],
  board: ['entity', 'seed'],
  dashboard: ['entity', 'seed'],
  quiz: ['questions'],
  flashcards: ['questions'],
  landing: ['sections', 'hours', 'contact'],
  portfolio: ['sections', 'contact'],
  docs: ['sections'],
  form: ['entity'],
  event: ['sections', 'contact'],
};

/** What the form of a plan is made from. */
export function planForms(): PlanForms {
  return {
    schema: appSpecSchema,
    kinds: templateList().data.map(({ id, name }) => ({
      id,
      name,
      variants: variants[id] ?? [],
      uses: uses[id] ?? [],
      features: offersOf(id),
      settings: [],
      copy: [],
    })),
  };
}
