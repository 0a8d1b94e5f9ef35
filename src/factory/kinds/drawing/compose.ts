import type { Compose } from '../../read/draft.ts';
import { named } from '../../read/parts/naming.ts';

interface Content {
  readonly name: string;
  readonly named: string;
  readonly tagline: string;
}

/** A pad to draw on: it has a name and nothing to fill in. */
export const compose: Compose<Content> = (draft, { name, named: pattern, tagline }) => ({
  spec: { name: named(draft, pattern, name), tagline, features: ['undo', 'print', 'dark'] },
  assumptions: [],
});
