import { setTimeout as pause } from 'node:timers/promises';
import { startProgram, stop } from '../bench/processes.ts';

export interface Running {
  readonly url: string;
  /** Where its output is written. */
  readonly log: string;
  close(): Promise<void>;
}

export interface Program {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  /** What answers 200 once it listens. */
  readonly readyPath: string;
  readonly log: string;
}

/** Starts a program with Node.js and waits until it listens. Throws where its log is, if it does not. */
export async function startListening({ args, env, port, readyPath, log }: Program): Promise<Running> {
  const child = startProgram(args, { ...env }, log);
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 60_000;
  while (!(await answers(url + readyPath))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop(child);
      throw new Error(`${args.at(-1)} does not listen, see ${log}`);
    }
    await pause(50);
  }
  return { url, log, close: () => stop(child) };
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}
