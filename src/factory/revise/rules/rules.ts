import type { Rule } from '../rule.ts';
import { add } from './add.ts';
import {
  addChoice,
  addExample,
  addHours,
  addItem,
  addQuestion,
  addSection,
  choices,
  closed,
  noExamples,
  price,
} from './content.ts';
import { addColumn, addOption, optional, required, setOptions } from './fields.ts';
import { make } from './look.ts';
import { after, before, first, last } from './move.ts';
import { name, tagline } from './naming.ts';
import { remove, removeFrom } from './remove.ts';
import { rename } from './rename.ts';
import { change, fact, set } from './set.ts';
import { setting } from './settings.ts';

/** All rules by the name that the word files have for them, in the order in which they are tried. */
export const rules: Readonly<Record<string, Rule>> = {
  required,
  optional,
  first,
  last,
  before,
  after,
  setOptions,
  addOption,
  addColumn,
  noExamples,
  addExample,
  addQuestion,
  addHours,
  closed,
  choices,
  addChoice,
  addSection,
  addItem,
  price,
  setting,
  make,
  rename,
  name,
  tagline,
  removeFrom,
  remove,
  add,
  set,
  change,
  fact,
};
