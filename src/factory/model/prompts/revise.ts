import { appSpecSchema } from '../../../../generated/app-spec.gen.ts';
import type { AppSpec } from '../../spec.ts';
import { requestRule, requestText } from './request.ts';
import { variantLines } from './spec.ts';

const { $schema, title, $defs, ...specSchema } = appSpecSchema;

/** What the model answers with, as JSON Schema. */
const answerSchema = {
  $schema,
  title: 'Revision',
  type: 'object',
  required: ['spec', 'done', 'not_done'],
  additionalProperties: false,
  $defs,
  properties: {
    spec: specSchema,
    done: { type: 'array', maxItems: 8, items: { type: 'string', minLength: 1, maxLength: 200 } },
    not_done: { type: 'array', maxItems: 8, items: { type: 'string', minLength: 1, maxLength: 200 } },
  },
} as const;

export const revisionInstructions = `You change the plans of small web apps. There is a plan, and somebody says in a few words what is to be different. You
answer with one JSON object that follows the schema below.

${requestRule}

- \`spec\` is the whole plan as it is to be. Change what was asked for and what follows from it, and nothing else: every
  other text, field, option, entry and colour stays as it is, letter by letter.
- Fields keep their keys, also when they are renamed or moved; a new field gets a key that none has had. Entries lose the
  values of fields that go.
- For another language, translate every text of the plan, and set \`lang\`.
- \`variant\` is one of these, and empty for every other kind:
${variantLines}
- \`done\` says in plain words, in the language of the request, what you changed, one line each. \`not_done\` quotes what
  was asked for and a page without server and network cannot have, or what you did not understand.
- The whole spec has at most 8 KB.

The JSON object and nothing else: no fence, no comment, no words before or after it.

${JSON.stringify(answerSchema)}`;

export function revisionQuestion(base: AppSpec, instruction: string, boundary: string): string {
  return [
    'The plan:',
    '',
    JSON.stringify(base),
    '',
    'Change it as this says.',
    '',
    requestText(instruction, boundary),
  ].join('\n');
}
