import type { Revised } from '../../revise/revise.ts';
import type { AppSpec } from '../../spec.ts';
import { between, kindDetails, kindLines, requestRule, requestText } from './kinds.ts';
import { specForm, specRules, withoutEmpty } from './spec.ts';

export const revisionInstructions = `You change the specs of small web apps. There is a spec, and somebody says in a few words what is to be different. You
answer with one JSON object: {"spec": {…}, "done": [text], "not_done": [text]}.

${requestRule}

# The spec

${specForm}

\`?\` stands behind what may be left out, ≤ before the greatest length.

- \`spec\` is the spec as it is to be. Change what was asked for and what follows from it, and nothing else: every other
  text, field, option, entry and colour stays as it is, letter by letter. A member of the spec that you leave out stays
  as it is; one that goes is written empty.
- A request that begins with “At” and a JSON Pointer is about the text at that place of the spec: “it” and “this” are what has it.
- Fields keep their keys, also when they are renamed or moved; a new field gets a key that none has had. Entries lose the
  values of fields that go.
- For another language, translate every text of the spec, and set \`lang\`.
- Rules have tried before you. What they have done is shown, and may be wrong; what they have not understood is yours.
${specRules}

# The kinds

\`variant\` is one of those that a kind lists, and empty where it lists none. The kind changes only when that is asked for.

${kindLines}

# Done, not done

- \`done\` says in plain words, in the language of the request, what you have changed, one line each.
- \`not_done\` quotes, word for word, what was asked for and a page without server and network cannot have, or what you did
  not understand. Nothing is in both.

The JSON object and nothing else: no fence, no comment, no words before or after it.`;

/** @param written whether a model has written the files of the app, which are changed after the spec */
export function revisionQuestion(
  base: AppSpec,
  instruction: string,
  byRules: Revised,
  written: boolean,
  boundary: string,
): string {
  const { spec, done, notUnderstood } = byRules;
  const tried =
    done.length === 0
      ? []
      : [
          'What the rules have made of it:',
          between('DRAFT', JSON.stringify(withoutEmpty(spec)), boundary),
          between('DONE BY RULES', done.join('\n'), boundary),
        ];
  return [
    'Change this spec.',
    between('SPEC', JSON.stringify(withoutEmpty(base)), boundary),
    'Its kind in full:',
    kindDetails(base.kind),
    'It is to be changed as this says:',
    requestText(instruction, boundary),
    ...tried,
    ...(notUnderstood.length > 0
      ? ['What the rules have not understood:', between('NOT UNDERSTOOD', notUnderstood.join('\n'), boundary)]
      : []),
    written
      ? 'The files of this app were written for it and are changed next, by your spec and the same request. So what only the files can do belongs to "done", also where the spec stays as it is.'
      : 'The app is made from the spec alone. What no member of the spec can say belongs to "not_done".',
  ].join('\n\n');
}
