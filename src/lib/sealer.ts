import { type CipherKey, createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

/** Encrypts with AES-256-GCM, for one owner alone. @param key of 32 bytes */
export function sealBytes(parts: readonly Uint8Array[], key: CipherKey, owner: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
  const sealed = parts.map((part) => cipher.update(part));
  const last = cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed, last]);
}

/** Throws for what was not sealed for this owner, or was changed since. */
export function openBytes(sealed: Uint8Array, key: CipherKey, owner: string): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
}

/** The same for small texts. */
export class Sealer {
  readonly #key: KeyObject;

  /** @param key of 32 bytes */
  constructor(key: KeyObject) {
    this.#key = key;
  }

  seal(text: string, owner: string): Buffer {
    return sealBytes([Buffer.from(text)], this.#key, owner);
  }

  open(sealed: Uint8Array, owner: string): string {
    return openBytes(sealed, this.#key, owner).toString();
  }
}
