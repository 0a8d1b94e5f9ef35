import { describe, expect, it } from 'vitest';
import { processCount } from '../../../../src/lib/capacity.ts';
import { type Figures, joinedText } from '../../../../src/observe/joint-metrics.ts';
import { Metrics } from '../../../../src/observe/metrics.ts';
import { argumentOf, placeIn } from '../../../../src/server/processes/place.ts';
import { Scrapes } from '../../../../src/server/processes/supervisor.ts';

/** A process that gives its figures when it is asked for them. */
function member(scrapes: Scrapes, number: number) {
  const metrics = new Metrics('test');
  metrics.watchProcess();
  const chat = () => metrics.requestEnded({ operation: 'createChat', status: 200, durationMs: 5 });
  const ask = async (id: number) => scrapes.answered(number, id, overTheWire(await metrics.figures(number)));
  return { number, ask: (id: number) => void ask(id), chat };
}

function overTheWire(figures: Figures): Figures {
  return JSON.parse(JSON.stringify(figures));
}

const requests = 'switchyard_requests_total{operation="createChat",status="200"}';
const durations = 'switchyard_request_duration_seconds_count{operation="createChat"}';

it('adds up what processes have counted, and keeps apart what is of each', async () => {
  const scrapes = new Scrapes();
  const [one, two] = [member(scrapes, 1), member(scrapes, 2)];
  one.chat();
  one.chat();
  two.chat();
  const text = await joinedText(await scrapes.of([one, two]));
  expect(text).toContain(`${requests} 3`);
  expect(text).toContain(`${durations} 3`);
  expect(text).toContain('switchyard_processes 2');
  expect(text).toContain('switchyard_info{version="test"} 1');
  for (const process of [1, 2]) {
    expect(text).toMatch(new RegExp(`^process_resident_memory_bytes\\{process="${process}"\\} \\d+$`, 'm'));
    expect(text).toContain(`process="${process}"} 1`);
  }
  expect(text.match(/^# TYPE switchyard_requests_total/gm)).toHaveLength(1);
});

it('goes on counting what a process had counted that has ended', async () => {
  const scrapes = new Scrapes();
  const [one, two] = [member(scrapes, 1), member(scrapes, 2)];
  one.chat();
  two.chat();
  await scrapes.of([one, two]);
  for (const again of [1, 2]) {
    scrapes.ended(2);
    const next = member(scrapes, 2);
    next.chat();
    const text = await joinedText(await scrapes.of([one, next]));
    expect(text).toContain(`${requests} ${2 + again}`);
    expect(text).toContain(`${durations} ${2 + again}`);
    expect(text).toContain('switchyard_processes 2');
  }
  scrapes.ended(2);
  const alone = await joinedText(await scrapes.of([one]));
  expect(alone).toContain(`${requests} 4`);
  expect(alone).toContain('switchyard_processes 1');
});

it('does without a process that does not answer, but for what it had counted', async () => {
  const scrapes = new Scrapes();
  const [one, two] = [member(scrapes, 1), member(scrapes, 2)];
  two.chat();
  await scrapes.of([one, two]);
  one.chat();
  const text = await joinedText(await scrapes.of([one, { number: 2, ask: () => undefined }]));
  expect(text).toContain(`${requests} 2`);
  expect(text).toContain('switchyard_processes 1');
});

describe('the place of a process', () => {
  it('a place is read as it was written', () => {
    for (const place of [
      { number: 1, of: 4, port: null },
      { number: 4, of: 4, port: 8080 },
    ])
      expect(placeIn(['--other', argumentOf(place)])).toEqual(place);
    expect(placeIn(['node', 'start.js'])).toEqual({ number: 1, of: 1, port: null });
  });

  it('a number of processes is a number, or one for each core', () => {
    expect(processCount('auto')).toBeGreaterThan(0);
    expect([processCount('1'), processCount('64')]).toEqual([1, 64]);
    for (const wrong of ['0', '65', '-1', '2.5', '1e1', '', 'all']) expect(processCount(wrong)).toBeNull();
  });
});
