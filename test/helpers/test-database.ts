import type { Clock } from '../../src/lib/clock.ts';
import { Secret } from '../../src/lib/redact.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';

/** Where a database is, for several stores or processes on it. */
export interface Database {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
}

/** A clock that stands still until it is set. */
export class TestClock implements Clock {
  time: number;

  constructor(time: number | string = '2026-03-10T12:00:00Z') {
    this.time = typeof time === 'string' ? Date.parse(time) : time;
  }

  now(): number {
    return this.time;
  }

  set(time: string): void {
    this.time = Date.parse(time);
  }
}

export function openDatabase({ dataDir, databaseUrl }: Database, clock?: Clock): Promise<Store> {
  const settings = { dataDir, databaseUrl: databaseUrl === null ? null : new Secret(databaseUrl) };
  return openStore(clock ? { ...settings, clock } : settings);
}
