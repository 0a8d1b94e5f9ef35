import type { AppField } from '../../../../generated/types.gen.ts';
import type { Compose } from '../../read/draft.ts';

interface Content {
  readonly name: string;
  readonly entities: readonly { readonly words: readonly string[]; readonly fields: readonly AppField[] }[];
}

/** The fields are those that the prompt lists, else those of a thing that we know, else a name and notes. */
export const compose: Compose<Content> = ({ subject, fields }, { name, entities }) => {
  const known = entities.find(({ words }) => subject !== null && words.includes(subject.head));
  const chosen = fields.length > 0 ? fields : (known?.fields ?? []);
  return {
    spec: {
      name: subject
        ? name.replace('{thing}', () => subject.singular).replace('{things}', () => subject.plural)
        : '',
      entity: subject && {
        singular: subject.singular,
        plural: subject.plural,
        fields: chosen.map(({ label, type }, index) => ({ key: `f${index}`, label, type })),
      },
    },
    assumptions: [],
  };
};
