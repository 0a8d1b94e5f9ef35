import { describe, expect, it, onTestFinished } from 'vitest';
import { type LocalLimits, LocalThread } from '../../../../src/services/features/local/thread.ts';
import { errorOf, until } from '../../../helpers/vendor-gateway.ts';

const never = new AbortController().signal;
const text = 'I love it.';

function thread(limits: Partial<LocalLimits> = {}): LocalThread {
  const made = new LocalThread(limits);
  onTestFinished(() => made.close());
  return made;
}

describe('the thread of the local engines', () => {
  it('answers many calls at once, each with its own outcome', async () => {
    const local = thread();
    const words = Array.from({ length: 50 }, (_, n) => `reef${n}`);
    const outcomes = await Promise.all(
      words.map((word) => local.run('compare', { a: word, b: 'other' }, never)),
    );
    expect(outcomes.map((outcome) => 'output' in outcome && outcome.output['only_a'])).toEqual(
      words.map((word) => [word]),
    );
  });

  it('ends when it has been idle, and begins again with the next call', async () => {
    const local = thread({ idleMs: 1 });
    await local.run('sentiment', { text }, never);
    await until(() => !local.alive);
    expect(await local.run('sentiment', { text }, never)).toHaveProperty('output.sentiment', 'positive');
  });

  it('refuses more calls than may wait', async () => {
    const local = thread({ waiting: 2 });
    const taken = [local.run('sentiment', { text }, never), local.run('sentiment', { text }, never)];
    const error = await errorOf((async () => local.run('sentiment', { text }, never))());
    expect([error.code, error.info.status, error.retryAfter]).toEqual(['local_engine_busy', 503, 1]);
    await expect(Promise.all(taken)).resolves.toHaveLength(2);
  });

  it('gives up a call that takes too long, and goes on with the next', async () => {
    const local = thread({ callMs: 1 });
    expect((await errorOf(local.run('sentiment', { text }, never))).code).toBe('local_engine_busy');
    const patient = thread();
    expect(await patient.run('sentiment', { text }, never)).toHaveProperty('output');
  });

  it('drops what a client has left, waiting or running', async () => {
    const local = thread();
    const leaving = new AbortController();
    const left = [1, 2, 3].map(() => local.run('sentiment', { text }, leaving.signal));
    const staying = local.run('sentiment', { text }, never);
    leaving.abort(new Error('gone'));
    for (const call of left) await expect(call).rejects.toThrow('gone');
    expect(await staying).toHaveProperty('output');
    expect(() => local.run('sentiment', { text }, leaving.signal)).toThrow('gone');
  });

  it('passes a failure on as ours and goes on', async () => {
    const local = thread();
    await expect(local.run('no-such-engine', {}, never)).rejects.toThrow('no local engine');
    expect(await local.run('sentiment', { text }, never)).toHaveProperty('output');
  });

  it('fails what waits when the server stops', async () => {
    const local = thread();
    const call = errorOf(local.run('sentiment', { text }, never));
    await local.close();
    expect((await call).code).toBe('shutting_down');
  });
});
