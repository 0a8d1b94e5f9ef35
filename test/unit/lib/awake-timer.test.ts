import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { afterAwake } from '../../../src/lib/timers.ts';
import { HotSwap } from '../../../src/services/agents/service.ts';

/** Keeps the event loop from everything else. */
function holdUp(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

it('acts once, after its time', async () => {
  const since = performance.now();
  let acted = 0;
  await new Promise<void>((resolve) =>
    afterAwake(40, () => {
      acted += 1;
      resolve();
    }),
  );
  expect(performance.now() - since).toBeGreaterThanOrEqual(36);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(acted).toBe(1);
});

it('does nothing once it is cancelled', async () => {
  let acted = false;
  const cancel = afterAwake(10, () => {
    acted = true;
  });
  cancel();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(acted).toBe(false);
});

it('acts only after what came while the process was held up, whenever that was', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const accepted = once(server, 'connection');
  const address = server.address();
  const client = connect((address as { port: number }).port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  const [peer] = (await accepted) as [Socket];
  onTestFinished(() => void peer.destroy());
  for (const beforeMs of [0, 15, 30, 45]) {
    const order: string[] = [];
    const answer = once(client, 'data').then(() => order.push('answer'));
    const over = new Promise<void>((resolve) =>
      afterAwake(60, () => {
        order.push('over');
        resolve();
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, beforeMs));
    peer.write('the answer');
    holdUp(200);
    await Promise.all([answer, over]);
    expect(order).toEqual(['answer', 'over']);
  }
});

describe('a hot swap', () => {
  function exchangeable() {
    const closed: string[] = [];
    const one = new HotSwap('one', async (value) => void closed.push(value));
    return { one, closed };
  }

  it('closes a former one that nobody uses at once, and one in use when the last is done', () => {
    const { one, closed } = exchangeable();
    const [first, second] = [one.hold(), one.hold()];
    one.exchange('two');
    expect([one.current, first.held, closed]).toEqual(['two', 'one', []]);
    one.exchange('three');
    expect(closed).toEqual(['two']);
    first.release();
    first.release();
    expect(closed).toEqual(['two']);
    second.release();
    expect(closed).toEqual(['two', 'one']);
  });

  it('keeps the current one open, and closes all that are open in the end, each once', async () => {
    const { one, closed } = exchangeable();
    one.hold().release();
    expect(closed).toEqual([]);
    const former = one.hold();
    one.exchange('two');
    await one.close();
    former.release();
    expect(closed.sort()).toEqual(['one', 'two']);
  });
});
