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
import { addColumn, addOption, noTotal, optional, required, setOptions } from './fields.ts';
import { addMark, addRow, marks, rows } from './grid.ts';
import { currency, make, otherKind } from './look.ts';
import { after, before, first, last } from './move.ts';
import { name, tagline } from './naming.ts';
import { remove, removeFrom } from './remove.ts';
import { rename } from './rename.ts';
import { change, fact, set, starts } from './set.ts';
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
  marks,
  rows,
  addMark,
  addRow,
  noExamples,
  addExample,
  addQuestion,
  addHours,
  closed,
  choices,
  addChoice,
  addSection,
  addItem,
  noTotal,
  currency,
  starts,
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
  otherKind,
};
