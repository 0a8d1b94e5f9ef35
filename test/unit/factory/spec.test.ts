import { describe, expect, it } from 'vitest';
import { appSpecSchema } from '../../../generated/app-spec.gen.ts';
import { read } from '../../../src/factory/read/read.ts';
import { specProblems } from '../../../src/factory/spec.ts';
import { testEvery } from '../../helpers/test-every.ts';

describe('a spec', () => {
  const spec = read('an expense tracker').spec;

  it('that is whole is sound', () => {
    expect(specProblems(spec)).toEqual([]);
  });

  testEvery('without one of its members is not whole', Object.keys(appSpecSchema.properties), (name) => {
    const { [name as keyof typeof spec]: _left, ...rest } = spec;
    expect(specProblems(rest).join()).toContain(name);
  });

  it('may give its fields keys in any order, but each once', () => {
    const [first, second] = spec.entity?.fields ?? [];
    const entity = (keys: readonly string[]) => ({
      ...spec,
      seed: [],
      entity: {
        singular: 'Expense',
        plural: 'Expenses',
        fields: keys.map((key) => ({ ...first, ...second, key })),
      },
    });
    expect(specProblems(entity(['f7', 'f0']))).toEqual([]);
    expect(specProblems(entity(['f7', 'f7'])).join()).toContain('/entity/fields/1/key');
  });
});
