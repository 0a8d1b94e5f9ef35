import type { AppSpec } from '../../spec.ts';
import { noFilesMark } from '../blocks.ts';
import { formOf } from './code.ts';
import { between, requestText } from './request.ts';

export interface ChangeAsked {
  /** What the app was first asked for with; empty where a spec was sent. */
  readonly prompt: string;
  /** Null: only the spec has changed. */
  readonly instruction: string | null;
  readonly before: AppSpec;
  readonly after: AppSpec;
  /** The files as they are, each between its marks. */
  readonly blocks: readonly string[];
}

/** Asks for those files of an app that a change needs. */
export function changeQuestion(
  { prompt, instruction, before, after, blocks }: ChangeAsked,
  boundary: string,
): string {
  return [
    'Change this app.',
    ...(prompt === '' ? [] : ['It was first asked for with this:', between('FIRST', prompt, boundary)]),
    'Its spec was:',
    between('SPEC BEFORE', JSON.stringify(before), boundary),
    ...(instruction === null
      ? []
      : ['Now it is to be changed as this says:', requestText(instruction, boundary)]),
    'Its spec is now, with nothing left out:',
    between('SPEC', JSON.stringify(after), boundary),
    'Its files:',
    ...blocks,
    `Change what is asked for and what the new spec says, and nothing else: what people have entered in the app must still be found under the same names in the storage. Colours and corners follow the spec by src/theme.css, without you. Write only the files that change, each whole; no new ones. If none has to change, answer with the one line "${noFilesMark(boundary)}".`,
    formOf(boundary),
  ].join('\n\n');
}
