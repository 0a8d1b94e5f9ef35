/**
 * Scores the reader of prompts on a set of prompts with assertions, in `test/factory/prompts/`, and prints the share that
 * is right, usable, wrong and honest, by language and by kind, and why the rest is not right.
 *
 *   node scripts/score-prompts.ts --set heldout|development|regression [--lang de] [--show wrong] [--json]
 *
 * `--show` names verdicts or `dishonest`, separated by commas, whose prompts are printed with their reasons: never those of
 * the held-out set, of which only counts are shown, so that no rule is written for one of them. `--show-heldout` does it
 * all the same, for whoever mends an assertion.
 */
import { parseArgs } from 'node:util';
import { promptLangs, promptSet, type SetName, setNames } from '../test/factory/score/prompt-set.ts';
import { read } from '../test/factory/score/reader.ts';
import { type Row, reasonTable, shownPrompts, summary } from '../test/factory/score/report.ts';
import { score } from '../test/factory/score/score.ts';

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'development' },
    lang: { type: 'string' },
    show: { type: 'string' },
    'show-heldout': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const set = setNames.find((name) => name === values.set);
if (!set) fail(`--set is one of ${setNames.join(', ')}`);
if (values.lang !== undefined && !promptLangs.some((lang) => lang === values.lang))
  fail(`--lang is one of ${promptLangs.join(', ')}`);

const rows = scored(set, values.lang);
if (values.json) console.log(JSON.stringify(rows));
else {
  console.log(`${set}: ${rows.length} prompts\n`);
  console.log(summary(rows));
  console.log(`\nWhy not right or not honest, by number of prompts\n${reasonTable(rows)}`);
  if (values.show !== undefined) {
    if (set === 'heldout' && !values['show-heldout'])
      fail('prompts of the held-out set are not shown; see the head of this script');
    console.log(`\n${shownPrompts(rows, values.show.split(','))}`);
  }
}

function scored(name: SetName, lang: string | undefined): Row[] {
  return promptSet(name)
    .filter((entry) => lang === undefined || (entry.prompt_lang ?? entry.lang) === lang)
    .map((entry) => {
      const { spec, ...reading } = read(entry.prompt);
      return { entry, got: spec.kind, reading, score: score(spec, reading, entry) };
    });
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
