import { expect, it } from 'vitest';
import { wireTimeLimits } from '../../../../src/gateway/lanes/time-limits.ts';

const own = { connect: 2000, firstByte: 60_000, idle: 30_000, total: 120_000 };
const patient = { connect: 2000, firstByte: 300_000, idle: 300_000, total: 3_600_000 };

const limits = (timeout?: string | string[], settings = own) =>
  wireTimeLimits({ headers: { ...(timeout !== undefined && { 'x-stainless-timeout': timeout }) } }, settings);

it('waits for as long as thinking takes, whatever the settings have for /v1/chat', () => {
  expect(limits()).toEqual(patient);
});

it('waits longer for a silent vendor where the settings do', () => {
  expect(limits(undefined, { ...own, firstByte: 400_000, idle: 500_000 })).toEqual({
    ...patient,
    firstByte: 400_000,
    idle: 500_000,
  });
});

it('waits no longer than the client does', () => {
  expect(limits('60')).toEqual({ ...patient, total: 60_000 });
  expect(limits('600')).toEqual({ ...patient, total: 600_000 });
  expect(limits('1')).toMatchObject({ total: 1000 });
});

it.each(['0', '0.5', '-1', 'soon', '', 'NaN', 'Infinity', '1e9', '7200'])(
  'waits for an hour at most where the client says %j',
  (timeout) => expect(limits(timeout)).toEqual(patient),
);
