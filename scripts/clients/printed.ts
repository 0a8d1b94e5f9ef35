import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Document, type OperationAt, operationsOf } from '../generate/document.ts';
import { type RunOptions, run } from './run.ts';
import type { Examples } from './server.ts';

/** A sample as it is printed. */
export interface Printed {
  /** The operation that it shows, or where in the README it stands. */
  readonly name: string;
  readonly source: string;
  /** Null for a sample of the README. */
  readonly at: OperationAt | null;
}

/**
 * What is printed in a language for users of its library: the samples in the contract that use it, and the programs in the
 * README of the package.
 *
 * @param lang The language as the contract calls it, for example `JavaScript`.
 * @param fence The language as the README calls it, for example `js`.
 * @param isOfLibrary Whether a program uses the library.
 */
export function printedSamples(
  contract: Document,
  lang: string,
  folder: string,
  fence: string,
  isOfLibrary: (source: string) => boolean,
): Printed[] {
  const inContract = operationsOf(contract).flatMap((at) =>
    (at.operation['x-codeSamples'] ?? [])
      .filter((sample) => sample.lang === lang && isOfLibrary(sample.source))
      .map(({ source }) => ({ name: at.id, source, at })),
  );
  if (inContract.length === 0) throw new Error(`the contract has no samples in ${lang}`);
  const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
  const blocks = readme.matchAll(new RegExp(`^\`\`\`${fence}\n(.*?)\n\`\`\`$`, 'gms'));
  const inReadme = [...blocks].map(([, source = ''], index) => ({
    name: `readme${index + 1}`,
    source,
    at: null,
  }));
  const known = new Set(inContract.map(({ source }) => source));
  return [...inContract, ...inReadme.filter(({ source }) => !known.has(source))];
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
  { name }: Printed,
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<void> {
  try {
    await run(program, args, options);
  } catch (error) {
    const { message } = error as Error;
    if (!/needs a (?:language )?model|model_required/.test(message)) throw new Error(`${name}: ${message}`);
  }
}
