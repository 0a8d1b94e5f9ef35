import { type KeyObject, randomBytes } from 'node:crypto';
import { Sealer } from '../../lib/sealer.ts';

/** Derives a key of 32 bytes for a purpose from the server's secret. */
export type KeyFor = (purpose: string) => KeyObject;

const prefix = 'whsec_';

/**
 * The secrets that events are signed with, in the form of the Standard Webhooks specification
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): kept encrypted for their webhook
 * alone.
 */
export class WebhookSecrets extends Sealer {
  constructor(keyFor: KeyFor) {
    super(keyFor('webhook secrets'));
  }

  /** 32 random bytes. To be shown once. */
  generate(): string {
    return prefix + randomBytes(32).toString('base64');
  }
}
