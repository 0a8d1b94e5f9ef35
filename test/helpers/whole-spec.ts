import type { AppSpec } from '../../src/factory/factory.ts';
import { emptySpec } from '../../src/factory/spec.ts';

/** A whole spec of the parts that matter to a test. */
export const wholeSpec = (parts: Partial<AppSpec>): AppSpec => ({ ...emptySpec, name: 'Test', ...parts });
