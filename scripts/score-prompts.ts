/**
 * Scores the reader of prompts on a set of prompts with assertions, in `test/factory/prompts/`, and prints the share that
 * is right, usable, wrong and honest, by language and by kind, and which assertions fail how often.
 *
 *   node scripts/score-prompts.ts --set heldout|development|regression [--lang de] [--show wrong,usable,dishonest]
 *
 * `--show` prints the prompts with one of these verdicts, each with its reasons; `all` prints every one. Of the held-out
 * set only counts are shown, so that no rule is written for one of its prompts; `--reveal` shows them all the same, for
 * whoever mends an assertion.
 */
import { parseArgs } from 'node:util';
import { promptLangOf, promptLangs, promptSet, setNames } from '../test/factory/score/prompt-set.ts';
import { read } from '../test/factory/score/reader.ts';
import { reasonTable, scoredRow, shownPrompts, summary } from '../test/factory/score/report.ts';

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'development' },
    lang: { type: 'string' },
    show: { type: 'string' },
    reveal: { type: 'boolean', default: false },
  },
});
const set = setNames.find((name) => name === values.set);
if (!set) fail(`--set is one of ${setNames.join(', ')}`);
const lang = promptLangs.find((one) => one === values.lang);
if (values.lang !== undefined && !lang) fail(`--lang is one of ${promptLangs.join(', ')}`);
if (values.show !== undefined && set === 'heldout' && !values.reveal)
  fail('prompts of the held-out set are not shown without --reveal; see the head of this script');

const rows = promptSet(set)
  .filter((entry) => lang === undefined || promptLangOf(entry) === lang)
  .map((entry) => scoredRow(entry, read(entry.prompt)));
console.log(`${set}: ${rows.length} prompts\n\n${summary(rows)}`);
console.log(`\nWhat fails, by number of prompts\n${reasonTable(rows)}`);
if (values.show !== undefined) console.log(`\n${shownPrompts(rows, values.show.split(','))}`);

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
