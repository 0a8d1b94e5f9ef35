import { expect, it } from 'vitest';
import { faults } from '../faults.ts';
import { optionsFrom } from '../options.ts';
import { Report } from '../report.ts';

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
  expect(optionsFrom(['--redis', '--only', faults.map(({ name }) => name).join(',')])?.only).toEqual(faults);
  expect(() => optionsFrom(['--only', 'rain'])).toThrow('rain');
  expect(() => optionsFrom(['--rounds', '0'])).toThrow('--rounds');
});
