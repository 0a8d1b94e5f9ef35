import { describe, expect, it } from 'vitest';
import { type Damage, damaged } from '../faults/disk.ts';
import { hostileRequests, problemOf } from '../faults/hostile.ts';
import { faults } from '../faults.ts';
import { optionsFrom, Report } from '../options.ts';
import { createRandom } from '../random.ts';
import { statusesIn } from '../tcp-proxy.ts';
import { answerBytes, endOf, wires } from '../vendor-answers.ts';

describe('chance', () => {
  const drawn = (seed: string) => {
    const random = createRandom(seed);
    return Array.from({ length: 50 }, () => [
      random.int(1, 1_000_000),
      random.chance(0.5),
      random.pick('abcdef'.split('')),
    ]);
  };

  it('gives the same under the same seed, and something else under another', () => {
    expect(drawn('7')).toEqual(drawn('7'));
    expect(drawn('7')).not.toEqual(drawn('8'));
  });

  it('gives a fork the same numbers whatever was drawn before', () => {
    const one = createRandom('7');
    const other = createRandom('7');
    for (let n = 0; n < 10; n += 1) other.next();
    expect(one.fork('load').int(0, 1e9)).toBe(other.fork('load').int(0, 1e9));
    expect(one.fork('load').int(0, 1e9)).not.toBe(one.fork('faults').int(0, 1e9));
  });

  it('meets every number of a range, and none beyond', () => {
    const random = createRandom('range');
    const met = new Set(Array.from({ length: 1000 }, () => random.int(3, 7)));
    expect([...met].sort()).toEqual([3, 4, 5, 6, 7]);
  });

  it('takes different ones, and no more than there are', () => {
    const random = createRandom('some');
    expect(random.some([1, 2, 3], 5).toSorted()).toEqual([1, 2, 3]);
    for (let n = 0; n < 50; n += 1) expect(new Set(random.some([1, 2, 3, 4], 2)).size).toBe(2);
  });
});

describe('the report', () => {
  const reported = (args: string[]) => {
    const lines: string[] = [];
    const options = optionsFrom(args);
    if (options === null) throw new Error('asked for help');
    return { options, lines, report: new Report(options, (line) => lines.push(line)) };
  };

  it('prints each failure, and what repeats its round: the same options but for the round', () => {
    const { options, lines, report } = reported([
      '--seed',
      '7',
      '--only',
      'kill-server,pg-kill',
      '--servers',
      '2',
    ]);
    report.violated({
      store: 'postgres',
      round: 5,
      faults: ['pg-kill'],
      invariant: 'ledger',
      what: 'is not true',
    });
    report.roundOver(['pg-kill'], true);
    expect(lines).toEqual(['FAILED postgres round 5 [pg-kill] ledger: is not true']);
    const again = /^again: npm run chaos -- (.+)$/m.exec(report.text())?.[1]?.split(' ') ?? [];
    expect(optionsFrom(again)).toEqual({ ...options, rounds: [5], stores: ['postgres'] });
    expect(report.text()).toContain('seed 7: 1 failures in 1 rounds');
  });

  it('repeats a round with Redis as it was, whose faults there are only with it', () => {
    const { options, report } = reported(['--seed', '7', '--redis', '--only', 'redis-kill', '--rounds', '3']);
    const again = report.replay('sqlite', 2).replace('npm run chaos -- ', '').split(' ');
    expect(optionsFrom(again)).toEqual({ ...options, rounds: [2], stores: ['sqlite'] });
    expect(options.redis).toBe(true);
    expect(() => optionsFrom(['--only', 'redis-kill'])).toThrow('needs --redis');
  });

  it('knows every fault under a name of its own, and none other', () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
    expect(optionsFrom(['--redis', '--only', faults.map(({ name }) => name).join(',')])?.only).toEqual(
      faults,
    );
    expect(() => optionsFrom(['--only', 'rain'])).toThrow('rain');
    expect(() => optionsFrom(['--rounds', '0'])).toThrow('--rounds');
  });
});

describe('hostile requests', () => {
  const exact = { name: 'a', bytes: '', expected: [413] };
  const open = { name: 'b', bytes: '', expected: [] };

  it('takes what is right', () => {
    expect(problemOf(exact, [413], true)).toBeNull();
    expect(problemOf(open, [404], false)).toBeNull();
    expect(problemOf(open, [], true)).toBeNull();
  });

  it('sees what is wrong', () => {
    expect(problemOf(exact, [200], true)).toContain('answered 200');
    expect(problemOf(exact, [], true)).toContain('without an answer');
    expect(problemOf(exact, [100, 413], true)).toContain('100 Continue');
    expect(problemOf(open, [500], true)).toContain('500');
    expect(problemOf(open, [], false)).toContain('no answer');
  });

  it('knows each hostile request under a name of its own', () => {
    const names = hostileRequests('key', 'host').map(({ name }) => name);
    expect(names.length).toBeGreaterThan(40);
    expect(new Set(names).size).toBe(names.length);
  });

  it('finds each of several answers that come on one connection', () => {
    const answer = 'HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\n{}';
    expect(statusesIn(`HTTP/1.1 100 Continue\r\n\r\n${answer}${answer}`)).toEqual([100, 401, 401]);
  });
});

describe('answers of the vendor', () => {
  const answer = { id: 'a', model: 'm', text: 'Some text of an answer.', prompt: 20, completion: 5 };

  it.each(wires)(
    'an answer of %s is over with its last byte, a stream with the event that says why',
    (wire) => {
      const whole = answerBytes(wire, false, answer);
      expect(endOf(whole)).toBe(whole.length);
      const stream = answerBytes(wire, true, answer);
      const end = endOf(stream);
      expect(end).toBeLessThan(stream.length);
      expect(stream.toString('utf8', 0, end)).toMatch(/"(finish|stop)_reason":"(stop|end_turn)"[^\n]*\n\n$/);
    },
  );
});

describe('damage', () => {
  it.each<Damage>(['page', 'header', 'truncated', 'wal', 'zeros'])(
    'damages files of any size: %s',
    (kind) => {
      for (const pages of [1, 2, 3, 50]) {
        for (let seed = 0; seed < 20; seed += 1) {
          const whole = Buffer.alloc(pages * 4096, 7);
          expect(damaged(Buffer.from(whole), kind, createRandom(String(seed))).equals(whole)).toBe(false);
        }
      }
    },
  );
});
