import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

/** Derives a key of 32 bytes for a purpose from the server's secret. */
export type KeyFor = (purpose: string) => KeyObject;

const prefix = 'whsec_';
const ivBytes = 12;
const tagBytes = 16;

/**
 * The secrets that events are signed with, in the form of the Standard Webhooks specification
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): kept encrypted with AES-256-GCM for
 * their webhook alone.
 */
export class WebhookSecrets {
  readonly #key: KeyObject;

  constructor(keyFor: KeyFor) {
    this.#key = keyFor('webhook secrets');
  }

  /** 32 random bytes. To be shown once. */
  generate(): string {
    return prefix + randomBytes(32).toString('base64');
  }

  seal(secret: string, webhookId: string): Buffer {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(webhookId));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /** Throws for what was not sealed for this webhook, or was changed since. */
  open(sealed: Uint8Array, webhookId: string): string {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, ivBytes))
      .setAAD(Buffer.from(webhookId))
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const body = bytes.subarray(ivBytes + tagBytes);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  }
}
