/** The tables of fields against what the vendors publish: their own SDKs. */
import { describe, expect, it } from 'vitest';
import { type ClientWire, clientWires } from '../../../../../src/gateway/wires/fields/field-rows.ts';
import { fieldTable } from '../../../../../src/gateway/wires/fields/table.ts';
import { Comparison, compareGemini, declared, shapesOf } from '../../../../helpers/published.ts';

/** What Anthropic's SDK sends as headers (resources/beta/messages/messages.js). */
const headers = ['betas', 'user_profile_id', 'workspace_id'];

const published: Readonly<Record<ClientWire, (comparison: Comparison) => void>> = {
  'openai-chat': (comparison) =>
    comparison.type(comparison.tree, declared('chat', 'ChatCompletionCreateParamsBase')),
  'openai-completions': (comparison) =>
    comparison.type(comparison.tree, declared('completions', 'CompletionCreateParamsBase')),
  'openai-responses': (comparison) =>
    comparison.type(comparison.tree, declared('responses', 'ResponseCreateParamsBase')),
  anthropic: (comparison) => {
    for (const file of ['messages', 'betaMessages'] as const) {
      for (const shape of shapesOf(declared(file, 'MessageCreateParamsBase')).objects) {
        const inBody = [...shape.fields].filter(([name]) => !headers.includes(name));
        comparison.object(comparison.tree, { ...shape, fields: new Map(inBody) });
      }
    }
  },
  gemini: compareGemini,
};

describe.each(clientWires)('the table of fields of %s', (wire) => {
  const comparison = new Comparison(fieldTable(wire));
  published[wire](comparison);

  it('has every field that its vendor has published', () => {
    expect(comparison.missing).toEqual([]);
  });

  it('has no field that its vendor has not published, unless it says where the field is from', () => {
    expect(comparison.unpublished).toEqual([]);
  });

  it('shows every type that its vendor has published of a field that may be left out', () => {
    expect(comparison.untyped).toEqual([]);
  });
});

describe.each(clientWires)('what is compared with the table of %s', (wire) => {
  const table = fieldTable(wire);
  const rows = table.rows.filter(({ source }) => !source);
  // A value needs no row, nor does a role: what holds for the field holds for them.
  const fields = rows.filter(({ path }) => !/(\[role=\w+\]|\[\]|=[^\]}]+)$/.test(path));

  it('names each field that is taken out of it', () => {
    const unnoticed = fields.filter(({ path }) => {
      const comparison = new Comparison({
        ...table,
        rows: table.rows.filter((row) => !row.path.startsWith(path)),
      });
      published[wire](comparison);
      return comparison.missing.length === 0;
    });
    expect(unnoticed.map(({ path }) => path)).toEqual([]);
  });

  it('names each field that is put into it', () => {
    const objects = rows.filter(({ path }) => rows.some((row) => row.path.startsWith(`${path}.`)));
    const made = objects.map((row) => ({ ...row, path: `${row.path}.made_up` }));
    const comparison = new Comparison({ ...table, rows: [...table.rows, ...made] });
    published[wire](comparison);
    expect(comparison.unpublished).toEqual(made.map(({ path }) => path));
  });
});
