import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Document, type OperationAt, operationsOf } from '../../src/contract/served/document.ts';
import { guideFiles } from '../docs/guides.ts';
import { readContract } from './contract.ts';
import { type RunOptions, run } from './run.ts';
import type { Examples } from './server.ts';

/** A sample as it is printed. */
export interface Printed {
  /** The operation that it shows, or the text where it stands. */
  readonly name: string;
  readonly source: string;
  /** Null for a sample in a text. */
  readonly at: OperationAt | null;
}

/**
 * What is printed in a language for users of its library: the samples in the contract that use it, and the programs in the
 * README of the package, in that of the server and in its guides.
 *
 * @param lang The language as the contract calls it, for example `JavaScript`.
 * @param fence The language as the README calls it, for example `js`, or several as `js|ts`.
 * @param isTaken Whether a program is one of those; `at` is the operation that it shows, null in a text.
 */
export function printedSamples(
  contract: Document,
  lang: string,
  folder: string,
  fence: string,
  isTaken: (source: string, at: OperationAt | null) => boolean,
): Printed[] {
  const inContract = operationsOf(contract).flatMap((at) =>
    (at.operation['x-codeSamples'] ?? [])
      .filter((sample) => sample.lang === lang && isTaken(sample.source, at))
      .map(({ source }) => ({ name: at.id, source, at })),
  );
  if (inContract.length === 0) throw new Error(`the contract has no samples in ${lang}`);
  const inTexts = [path.join(folder, 'README.md'), ...guides()].flatMap((file) => {
    const blocks = readFileSync(file, 'utf8').matchAll(
      new RegExp(`^\`\`\`(?:${fence})\n(.*?)\n\`\`\`$`, 'gms'),
    );
    const page = path
      .relative(root, file)
      .replace(/^build\W/, '')
      .replaceAll(/\W+/g, '_');
    return [...blocks].map(([, source = ''], index) => ({ name: `${page}_${index + 1}`, source, at: null }));
  });
  const known = new Set(inContract.map(({ source }) => source));
  const more = inTexts.filter(({ source }) => isTaken(source, null) && !known.has(source));
  return [...inContract, ...more];
}

const root = path.join(import.meta.dirname, '../..');

/** What is written about the server. */
function guides(): string[] {
  return ['README.md', ...guideFiles(root)].map((file) => path.join(root, file));
}

/** The ids in samples are those of the contract's examples; this puts in what a server has. */
export type FillIn = (sample: Printed) => string;

export function fillInFor({ run, build, demo }: Examples): FillIn {
  return ({ source, at }) =>
    source
      .replaceAll(/\brun_\w{26}/g, run)
      .replaceAll('job_5x2k8q0v7c3m9r1t6w4y0z8b2d', at?.operation.security.length === 0 ? demo : build);
}

/** Runs a sample. A server without a provider says of some features that they need a model, which is an answer too. */
export async function runSample(
  { name, at }: Pick<Printed, 'name'> & Partial<Printed>,
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<void> {
  try {
    await run(program, args, options);
  } catch (error) {
    const { message } = error as Error;
    const mayNeedModel = at?.operation['x-engines']?.includes('model') ?? false;
    if (!mayNeedModel || !/needs a (?:language )?model/.test(message)) throw new Error(`${name}: ${message}`);
    console.log(`  ${path.basename(program)} ${name}: the feature needs a model`);
  }
}

/** Runs the program that shows an operation, in a language whose programs take what they need from the environment. */
export async function runProgram(
  operationId: string,
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<void> {
  const at = operationsOf(readContract()).find(({ id }) => id === operationId) ?? null;
  await runSample({ name: operationId, at }, program, args, options);
}
