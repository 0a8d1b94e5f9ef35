/**
 * Scores the reader of prompts on a set of prompts with assertions, in `test/factory/prompts/`, and prints the share that
 * is right, usable, wrong and honest, by language and by kind, and which assertions fail how often.
 *
 *   node scripts/score-prompts.ts --set heldout|development|regression [--lang de] [--show wrong,usable,dishonest]
 *     [--changes form|instruction|both] [--answers FOLDER --model NAME [--first N]]
 *
 * `--show` prints the prompts with one of these verdicts, each with its reasons; `all` prints every one. Of the held-out
 * set only counts are shown, so that no rule is written for one of its prompts; `--reveal` shows them all the same, for
 * whoever mends an assertion.
 *
 * `--answers` asks a model in place of the rules alone: each question becomes a file in that folder, `001.json`, and waits for
 * `001.answer.txt`, whoever writes it, a person or a model that no server has. `--model` says who it was; the counts are kept with it
 * and the date in `results/` of that folder. Whoever answers prompts of the held-out set must not write rules or prompts of ours.
 *
 * `--changes` prints which share is right after at most three changes, too, and why the rest is not. A change is one
 * form sent or one instruction given, as somebody on the page makes it who knows from the assertions what they want and
 * of the product no more than what the page shows; `both` begins with an instruction and goes on by form. Changes go
 * through the code that makes revisions, and the same assertions judge what comes of them. A form may be filled in all
 * over before it is sent; an instruction has at most four wishes, in the language of the prompt. Three things are more
 * lenient than a person: a fact of which no assertion says where it belongs may stand in the tagline or in a list, the
 * formula of a calculator need not be the right one, and nobody sees how the app looks. A number counts only at a control
 * that asks for a number, or with the words around it in the text of a page. A prompt that no kind serves is right once
 * that is said: at first, or as the answer to an instruction that asks for it; no change of a form can say it.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { keepResult, readByFiles } from '../test/factory/asked-model.ts';
import {
  type ChangedPrompt,
  changeSummary,
  shownChanges,
  whyWrong,
} from '../test/factory/score/changes/change-report.ts';
import { changed, ways } from '../test/factory/score/changes/changes.ts';
import { promptLangOf, promptLangs, promptSet, read, setNames } from '../test/factory/score/prompt-set.ts';
import { outcomeTable, reasonTable, scoredRow, shownPrompts, summary } from '../test/factory/score/report.ts';

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'development' },
    lang: { type: 'string' },
    show: { type: 'string' },
    changes: { type: 'string' },
    reveal: { type: 'boolean', default: false },
    answers: { type: 'string' },
    model: { type: 'string' },
    first: { type: 'string' },
  },
});
const set = setNames.find((name) => name === values.set);
if (!set) fail(`--set is one of ${setNames.join(', ')}`);
const lang = promptLangs.find((one) => one === values.lang);
if (values.lang !== undefined && !lang) fail(`--lang is one of ${promptLangs.join(', ')}`);
if (values.show !== undefined && set === 'heldout' && !values.reveal)
  fail('prompts of the held-out set are not shown without --reveal; see the head of this script');
const way = ways.find((one) => one === values.changes);
if (values.changes !== undefined && !way) fail(`--changes is one of ${ways.join(', ')}`);

const entries = promptSet(set).filter((entry) => lang === undefined || promptLangOf(entry) === lang);
const asked = values.first === undefined ? entries : entries.slice(0, Number(values.first));
const rows = await readRows();
console.log(`${set}: ${rows.length} prompts\n\n${summary(rows)}`);
console.log(`\nWhat people get who are asked first\n${outcomeTable(rows)}`);
console.log(`\nWhat fails, by number of prompts\n${reasonTable(rows)}`);
if (values.show !== undefined) console.log(`\n${shownPrompts(rows, values.show.split(','))}`);
if (way) {
  const prompts: ChangedPrompt[] = [];
  for (const entry of entries)
    prompts.push({ entry, changed: await changed(entry, read(entry.prompt), way) });
  console.log(`\nBy ${way}\n${changeSummary(prompts)}`);
  console.log(`\nWhat stays wrong, by number of prompts\n${whyWrong(prompts)}`);
  if (values.show !== undefined) console.log(`\n${shownChanges(prompts)}`);
}

/** By the rules, or by whoever answers in files. */
async function readRows() {
  const { answers, model } = values;
  if (answers === undefined) return asked.map((entry) => scoredRow(entry, read(entry.prompt)));
  if (model === undefined) fail('--answers needs --model, the name of who answers');
  console.error(`The questions come as files into ${answers}; each waits for its NNN.answer.txt.`);
  const readings = await readByFiles(asked, answers, model);
  const scored = asked.flatMap((entry, index) => {
    const reading = readings[index];
    return reading ? [scoredRow(entry, reading)] : [];
  });
  const degraded = readings.filter((reading) => reading.degraded).length;
  if (degraded > 0) console.log(`For ${degraded} prompts no plan came, and the rules planned.`);
  console.log(`Kept in ${keepResult(path.join(answers, 'results'), set ?? '', model, scored)}`);
  return scored;
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
