import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  exactEntries,
  leaseMs,
  marginMs,
  minLease,
  minuteMs,
  roundedMs,
  runningWaitMs,
  shareOfRest,
  type Window,
} from '../../limits/authority.ts';

/** How long a holder that is not heard of keeps what runs, and is kept in mind, in milliseconds. */
const aliveMs = 15_000;
const forgetHolderMs = 3_600_000;
const dayMs = 86_400_000;
/** How long an unused bucket is kept, in milliseconds: longer than anything counts in it. */
const keepMs: Readonly<Record<Window, number>> = {
  minute: 600_000,
  day: 2 * dayMs,
  month: 40 * dayMs,
  ever: 60 * dayMs,
  running: 2 * dayMs,
};

const constants = {
  MINUTE_MS: minuteMs,
  LEASE_MS: leaseMs,
  MARGIN_MS: marginMs,
  SHARE_OF_REST: shareOfRest,
  MIN_LEASE: minLease,
  EXACT_ENTRIES: exactEntries,
  ROUNDED_MS: roundedMs,
  RUNNING_WAIT_MS: runningWaitMs,
  ALIVE_MS: aliveMs,
  FORGET_HOLDER_MS: forgetHolderMs,
};

const body = [
  ...Object.entries(constants).map(([name, value]) => `local ${name} = ${value}`),
  `local KEEP_MS = { ${Object.entries(keepMs)
    .map(([window, ms]) => `${window} = ${ms}`)
    .join(', ')} }`,
  readFileSync(join(import.meta.dirname, 'take.lua'), 'utf8'),
].join('\n');

/** Servers of two versions run beside each other, each with its own function, on the same keys. */
const version = createHash('sha256').update(body).digest('hex').slice(0, 12);

export const takeName = `switchyard_take_${version}`;
/** The argument of `FUNCTION LOAD`. */
export const takeLibrary = `#!lua name=switchyard_${version}\nlocal FUNCTION_NAME = '${takeName}'\n${body}`;
