/** How much of the memory for everything in flight a body takes, which is four times its bytes. */
import { gzipSync } from 'node:zlib';
import { text as readBytes } from 'co-body';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { readWithin } from '../../../src/http/body.ts';
import { ByteBudget, Holding } from '../../../src/lib/byte-budget.ts';
import { serverOf } from '../../helpers/koa.ts';

const maxBytes = 100_000;

/** Reads what is sent within a budget, and says what is held of it before and after. */
function server(limit: number) {
  const budget = new ByteBudget(limit);
  const held: number[] = [];
  const part = serverOf(async ({ req }) => {
    const memory = new Holding(budget);
    try {
      const bytes = await readWithin(memory, req, maxBytes, async () => {
        held.push(budget.held);
        return (await readBytes(req, { limit: maxBytes, encoding: '' })) as unknown as Buffer;
      });
      held.push(budget.held);
      return bytes.length;
    } finally {
      memory.release();
      held.push(budget.held);
    }
  });
  return { asked: request(part).post('/').type('json'), held };
}

describe('a body that says how long it is', () => {
  it('takes its memory at once when it is small', async () => {
    const { asked, held } = server(1_000_000);
    expect((await asked.send('x'.repeat(1000))).body).toBe(1000);
    expect(held).toEqual([4000, 4000, 0]);
  });

  it('takes it as it comes when it is large, so that nobody takes much by announcing it', async () => {
    const { asked, held } = server(1_000_000);
    expect((await asked.send('x'.repeat(50_000))).body).toBe(50_000);
    expect(held).toEqual([0, 200_000, 0]);
  });

  it('is refused before it is read when it will not fit', async () => {
    const { asked, held } = server(100_000);
    expect((await asked.send('x'.repeat(50_000))).body.code).toBe('buffers_full');
    expect(held).toEqual([0]);
  });
});

describe('a body in chunks', () => {
  const sent = async (limit: number, bytes: number) => {
    const { asked, held } = server(limit);
    for (let at = 0; at < bytes; at += 10_000) asked.write('x'.repeat(10_000));
    return { reply: await asked, held };
  };

  it('takes what has come', async () => {
    const { reply, held } = await sent(1_000_000, 50_000);
    expect([reply.body, held]).toEqual([50_000, [0, 200_000, 0]]);
  });

  it('is refused on the way when memory ends, and read on for the client to hear of it', async () => {
    const { reply, held } = await sent(100_000, 50_000);
    expect([reply.status, reply.body.code]).toEqual([503, 'buffers_full']);
    expect(held).toEqual([0, 0]);
  });
});

it('a compressed body takes what it may come to, and gives back the rest', async () => {
  const { asked, held } = server(1_000_000);
  asked.set('content-encoding', 'gzip').write(gzipSync('x'.repeat(30_000)));
  expect((await asked).body).toBe(30_000);
  expect(held).toEqual([400_000, 120_000, 0]);
});
