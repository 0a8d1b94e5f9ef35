import { describe, expect, it } from 'vitest';
import { ledgerStatus } from '../../../src/http/rate-limit-headers.ts';

describe('the status of a request in the ledger', () => {
  it.each([
    [{ status: 'succeeded' }, 200],
    [{ status: 'succeeded', told: 'acceptance' }, 202],
    [{ status: 'failed', errorCode: 'provider_error' }, 502],
    [{ status: 'failed', errorCode: 'storage_unavailable' }, 503],
    [{ status: 'failed', errorCode: 'no code of the contract' }, 500],
    [{ status: 'failed', errorCode: null }, 500],
    // Its client has seen the status of an answer by then.
    [{ status: 'failed', errorCode: 'provider_error', told: 'answer' }, 200],
    [{ status: 'failed', errorCode: 'queue_timeout', told: 'acceptance' }, 202],
    [{ status: 'cancelled' }, 499],
    [{ status: 'cancelled', told: 'answer' }, 499],
    [{ status: 'cancelled', told: 'acceptance' }, 202],
  ] as const)('of one that ended as %o is %i', (ended, status) => {
    expect(ledgerStatus(ended)).toBe(status);
  });
});
