import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

/** Encrypts small texts with AES-256-GCM, each for one owner alone. */
export class Sealer {
  readonly #key: KeyObject;

  /** @param key of 32 bytes */
  constructor(key: KeyObject) {
    this.#key = key;
  }

  seal(text: string, owner: string): Buffer {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /** Throws for what was not sealed for this owner, or was changed since. */
  open(sealed: Uint8Array, owner: string): string {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, ivBytes))
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const body = bytes.subarray(ivBytes + tagBytes);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  }
}
