import { expect, it } from 'vitest';
import { ConversationMemory, Conversations } from '../../../src/sockets/conversations.ts';

const items = (bytes: number) => Buffer.alloc(bytes, 'a');

it('keeps the latest response of each lane, within one memory for all connections, from which the oldest go first', () => {
  const memory = new ConversationMemory(100);
  const [one, two] = [new Conversations(memory), new Conversations(memory)];
  one.latest(null, 'resp_1', items(40));
  one.latest('side', 'resp_2', items(40));
  one.latest(null, 'resp_3', items(30));
  expect([one.find('resp_1'), memory.bytes]).toEqual([null, 70]);
  two.latest(null, 'resp_4', items(60));
  expect([one.find('resp_2'), one.find('resp_3')?.length, memory.bytes]).toEqual([null, 30, 90]);
  // No other connection has it, and what is larger than all of the memory is not kept.
  expect(one.find('resp_4')).toBeNull();
  one.latest('side', 'resp_5', items(101));
  expect([one.find('resp_5'), memory.bytes]).toEqual([null, 90]);
  two.evict('resp_4');
  one.clear();
  expect([two.find('resp_4'), one.find('resp_3'), memory.bytes]).toEqual([null, null, 0]);
});
