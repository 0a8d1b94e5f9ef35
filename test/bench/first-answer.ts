import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { CHAT_AS_JSON, type Dialect, type Dialogue } from './scenarios.ts';

const LIMIT_MS = 120_000;
const POLL_MS = 5;

export interface Asked {
  readonly origin: string;
  readonly dialect: Dialect;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Asks a party that is starting until it listens, and returns the milliseconds since `startedAt`.
 * @param isReady whether an answer that is not 200 means that it is not ready yet
 * @throws an error with the end of its log where it ends, stays silent for two minutes, or answers something else
 */
export async function firstAnswer(
  asked: Asked,
  child: ChildProcess,
  logFile: string,
  startedAt: number,
  isReady: (status: number) => boolean = () => true,
): Promise<number> {
  const dialogue = CHAT_AS_JSON.dialects[asked.dialect];
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const answer = await askOnce(asked, dialogue).catch(() => undefined);
    if (answer?.fault === undefined && answer) return performance.now() - startedAt;
    if (answer && isReady(answer.status))
      throw new Error(`The first answer is ${answer.status}: ${answer.fault}`);
    await pause(POLL_MS);
  }
  const log = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n').slice(-2_000);
  throw new Error(`It does not listen. The end of its log:\n${log}`);
}

/** One request, read to its end and judged. Rejects when there is no answer. */
export async function askOnce(
  { origin, model, headers }: Asked,
  { path, body, fault }: Dialogue,
): Promise<{ status: number; fault: string | undefined }> {
  const reply = await request(origin + path(model), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body(model)),
    reset: true,
  });
  const answer = await reply.body.text();
  if (reply.statusCode !== 200) return { status: reply.statusCode, fault: answer.slice(0, 300) };
  try {
    return { status: 200, fault: fault(answer) };
  } catch (error) {
    return { status: 200, fault: `${String(error)} in ${answer.slice(0, 300)}` };
  }
}
