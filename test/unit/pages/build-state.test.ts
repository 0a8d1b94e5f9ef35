import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { BuildEvent, FactoryJob } from '../../../generated/types.gen.ts';
import { eventsIn } from '../../../scripts/generate/document.ts';
import { ownPath, previewOrigin, usableDomain } from '../../../src/pages/assets/build-parts.ts';
import { afterEvent, type BuildState, buildOf, newBuild } from '../../../src/pages/assets/build-state.ts';
import { readEvents } from '../../../src/pages/assets/event-stream.ts';

describe('build state', () => {
  const file = path.join(import.meta.dirname, '../../../openapi/examples/builds.yaml');
  const examples = parse(readFileSync(file, 'utf8')) as Record<string, { value: unknown }>;

  const shown = ['demoSucceeded', 'demoFailed'].flatMap(
    (name) => eventsIn(examples[name]?.value as string) as BuildEvent[],
  );

  /** The first event of a type as the contract shows it, with something else in it. */
  function example(type: BuildEvent['type'], changes: object = {}): BuildEvent {
    const event = shown.find((one) => one.type === type);
    if (!event) throw new Error(`the contract shows no event ${type}`);
    return { ...event, ...changes } as BuildEvent;
  }

  function built(...events: readonly BuildEvent[]): BuildState {
    return events.reduce(afterEvent, newBuild('a prompt'));
  }

  const states = ({ stages }: BuildState) => stages.map(({ id, state }) => `${id} ${state}`);
  const entered = (stage: string) => example('stage.started', { stage });
  const beginning = [
    example('job.queued'),
    example('job.started'),
    entered('planning'),
    example('plan.ready'),
  ];

  describe('what is known of a build', () => {
    it('follows its events', () => {
      const state = built(
        ...[
          ...beginning,
          example('stage.completed'),
          entered('generating'),
          example('file.completed'),
          example('file.completed'),
        ],
        ...[
          entered('verifying'),
          example('check.completed'),
          entered('packaging'),
          example('artifact.ready'),
          example('preview.ready'),
        ],
      );
      expect(states(state)).toEqual([
        'planning done',
        'generating done',
        'verifying done',
        'packaging active',
      ]);
      expect(state).toMatchObject({ title: 'Reading List', files: [{ path: 'index.html' }], filesTotal: 9 });
      expect(state.stages[0]?.durationMs).toBe(24);
      expect(built(...beginning, example('job.succeeded')).status).toBe('succeeded');
    });

    it('begins again when the build does, and checks again after repairs', () => {
      const checked = [
        ...beginning,
        entered('generating'),
        example('file.completed'),
        entered('verifying'),
        example('check.completed'),
      ];
      const again = built(...checked, example('notice'), example('job.started', { attempt: 2 }));
      expect(again).toMatchObject({ files: [], checks: [], notices: [expect.stringContaining('restarted')] });
      const repaired = built(...checked, entered('repairing'), entered('verifying'));
      expect(repaired.checks).toEqual([]);
      expect(states(repaired)).toEqual([
        'planning done',
        'generating done',
        'verifying active',
        'repairing done',
        'packaging waiting',
      ]);
    });

    it('marks the stage in which it failed, and takes events that it does not know', () => {
      const failed = built(...beginning, example('job.failed'));
      expect(states(failed)[0]).toBe('planning failed');
      expect(failed.error?.code).toBe('build_failed');
      const unknown = {
        ...example('heartbeat'),
        type: 'something.new',
        message: 'New.',
      } as unknown as BuildEvent;
      expect(built(...beginning, unknown)).toMatchObject({ title: 'Reading List', message: 'New.' });
    });

    it('is the same from its record', () => {
      const job = examples['demoJob']?.value as FactoryJob;
      const { message: _, stages: __, ...fromRecord } = buildOf(job);
      expect(built(example('job.succeeded'))).toMatchObject(fromRecord);
      expect(states(buildOf(job)).every((line) => line.endsWith('done'))).toBe(true);
      expect(states(buildOf({ ...job, status: 'failed', stage: 'verifying' }))).toEqual([
        'planning done',
        'generating done',
        'verifying failed',
        'packaging waiting',
      ]);
    });
  });

  describe('addresses of a build', () => {
    const addresses = { publicUrl: 'https://yard.example', previewDomain: 'previews.example' };

    it('pass if they are of this server', () => {
      expect(ownPath('https://yard.example/preview/job_1/', '/preview/', addresses)).toBe('/preview/job_1/');
      for (const foreign of [
        'https://evil.example/preview/job_1/',
        'http://yard.example/preview/job_1/',
        'https://yard.example/admin',
        'https://yard.example/preview/../admin',
        'javascript:alert(1)',
        '//evil.example/preview/',
        null,
      ]) {
        expect(ownPath(foreign, '/preview/', addresses), String(foreign)).toBeNull();
      }
    });

    it('pass if they are below the domain of previews', () => {
      expect(previewOrigin('https://abc.previews.example/', addresses)).toBe('https://abc.previews.example/');
      for (const foreign of [
        'https://abcpreviews.example/',
        'https://abc.previews.example.evil.example/',
        'https://evil.example/.previews.example',
        'javascript:alert(1)//.previews.example',
        null,
      ]) {
        expect(previewOrigin(foreign, addresses), String(foreign)).toBeNull();
      }
      expect(
        previewOrigin('https://abc.previews.example/', { ...addresses, previewDomain: null }),
      ).toBeNull();
    });

    it.each([
      ['localhost', 'localhost', 'localhost'],
      ['localhost', '127.0.0.1', 'localhost'],
      ['localhost', '[::1]', 'localhost'],
      ['localhost', '192.168.1.5', null],
      ['localhost', 'gateway.example', null],
      ['previews.example', 'gateway.example', 'previews.example'],
      [undefined, 'localhost', null],
    ])('below %s are of use to a visitor of %s: %s', (domain, host, usable) => {
      expect(usableDomain(domain, host)).toBe(usable);
    });
  });
});

describe('event stream', () => {
  const options = { silenceMs: 60_000, signal: new AbortController().signal };

  async function eventsOf(body: ReadableStream<Uint8Array>, given = options): Promise<string[]> {
    const events: string[] = [];
    for await (const data of readEvents(body, given)) events.push(data);
    return events;
  }

  /** The bytes in chunks that end at these places. */
  function chunked(bytes: Uint8Array, cuts: readonly number[]): ReadableStream<Uint8Array> {
    const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
    return new ReadableStream({
      start(controller) {
        let from = 0;
        for (const to of ends) {
          controller.enqueue(bytes.slice(from, to));
          from = to;
        }
        controller.close();
      },
    });
  }

  const encode = (text: string) => new TextEncoder().encode(text);
  const read = (text: string) => eventsOf(chunked(encode(text), []));

  describe('reading events', () => {
    it('knows every way to end a line, fields of other names and comments', async () => {
      expect(await read('data: one\n\ndata:two\r\n\r\ndata:  three\r\r')).toEqual(['one', 'two', ' three']);
      expect(await read('\uFEFF: hello\nid: 4\nevent: x\ndata: a\ndata: b\nretry: 3\n\n')).toEqual(['a\nb']);
      expect(await read('id: 4\n\ndata\n\n')).toEqual(['']);
    });

    it('leaves out an event that was cut on the way', async () => {
      expect(await read('data: whole\n\ndata: cut\n')).toEqual(['whole']);
      expect(await read('data: cut')).toEqual([]);
    });

    it('reads the same however the bytes are cut', async () => {
      const texts = fc.array(fc.stringMatching(/^[^\r\n]*$/u, { maxLength: 12 }), { maxLength: 6 });
      const ends = fc.constantFrom('\n', '\r\n', '\r');
      const cuts = fc.array(fc.nat(400), { maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(texts, ends, cuts, async (lines, end, offsets) => {
          const wire = lines.map((line) => `data: ${line}é€😀${end}${end}`).join('');
          expect(await eventsOf(chunked(encode(wire), offsets))).toEqual(lines.map((line) => `${line}é€😀`));
        }),
      );
    });

    it('ends in a long silence and when it is stopped', async () => {
      const silent = () =>
        new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(encode('data: one\n\n')),
        });
      expect(await eventsOf(silent(), { ...options, silenceMs: 5 })).toEqual(['one']);
      const stop = new AbortController();
      const reading = eventsOf(silent(), { ...options, signal: stop.signal });
      stop.abort();
      expect((await reading).length).toBeLessThanOrEqual(1);
    });
  });
});
