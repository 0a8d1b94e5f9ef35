type Table = Uint32Array;

/** A table for a cyclic redundancy check that takes the highest bit first and begins with 0. */
function tableOf(width: 8 | 16 | 32, polynomial: number): Table {
  const top = 2 ** (width - 1);
  const mask = 2 ** width - 1;
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = (byte << (width - 8)) >>> 0;
    for (let bit = 0; bit < 8; bit += 1) {
      const over = (value & top) !== 0;
      value = ((over ? (value << 1) ^ polynomial : value << 1) & mask) >>> 0;
    }
    return value;
  });
}

function checksum(table: Table, width: 8 | 16 | 32, bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    const index = ((value >>> (width - 8)) ^ byte) & 255;
    value = ((value << 8) ^ (table[index] ?? 0)) >>> 0;
    if (width < 32) value &= 2 ** width - 1;
  }
  return value;
}

const flacHeader = tableOf(8, 0x07);
const flacFrame = tableOf(16, 0x8005);
const oggPage = tableOf(32, 0x04c11db7);

/** Of a FLAC frame's header (RFC 9639, 9.1.8). */
export const flacHeaderChecksum = (bytes: Uint8Array): number => checksum(flacHeader, 8, bytes);
/** Of a FLAC frame (RFC 9639, 9.3). */
export const flacFrameChecksum = (bytes: Uint8Array): number => checksum(flacFrame, 16, bytes);
/** Of an Ogg page (RFC 3533, 6). */
export const oggChecksum = (bytes: Uint8Array): number => checksum(oggPage, 32, bytes);
