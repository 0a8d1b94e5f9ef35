import { dailyEntities } from './entities/daily.ts';
import type { EntityEntry } from './entities/entry.ts';
import { furtherEntities } from './entities/further.ts';
import { livingEntities } from './entities/living.ts';
import { measuringEntities } from './entities/measuring.ts';
import { planningEntities } from './entities/planning.ts';
import { workingEntities } from './entities/working.ts';

/** The things that prompts speak of most. Order decides when two fit equally well. */
export const entities: readonly EntityEntry[] = [
  ...dailyEntities,
  ...measuringEntities,
  ...planningEntities,
  ...livingEntities,
  ...workingEntities,
  ...furtherEntities,
];
