/** The kind of a file, by its first bytes. */
export interface FileKind {
  /** With its article: "a WAV file". */
  readonly name: string;
  /** The length in its head, in seconds; null: there is none. */
  readonly seconds: number | null;
}

const unknown: FileKind = { name: 'a file of an unknown kind', seconds: null };

/**
 * The kind of a file by its first bytes, and never by its name. The length comes from the heads of WAV and FLAC; those
 * of other kinds do not have it, or have it at their end.
 * @param head the first bytes, 64 KiB of them where there are as many
 * @param size of the whole file, in bytes
 */
export function kindOf(head: Buffer, size: number): FileKind {
  const is = (text: string, at = 0) => head.toString('latin1', at, at + text.length) === text;
  if ((is('RIFF') || is('RF64')) && is('WAVE', 8))
    return { name: 'a WAV file', seconds: wavSeconds(head, size) };
  if (is('fLaC')) return { name: 'a FLAC file', seconds: flacSeconds(head) };
  if (is('OggS')) return { name: is('OpusHead', 28) ? 'an Ogg file of Opus' : 'an Ogg file', seconds: null };
  if (is('\x1a\x45\xdf\xa3'))
    return { name: head.subarray(0, 64).includes('webm') ? 'a WebM file' : 'a Matroska file', seconds: null };
  if (is('ftyp', 4)) return { name: is('M4A', 8) ? 'an M4A file' : 'an MP4 file', seconds: null };
  if (is('caff')) return { name: 'a CAF file', seconds: null };
  if (is('FORM') && (is('AIFF', 8) || is('AIFC', 8))) return { name: 'an AIFF file', seconds: null };
  if (is('#!AMR')) return { name: 'an AMR file', seconds: null };
  if (is('ID3')) return { name: 'an MP3 file', seconds: null };
  if (head.length < 2) return size === 0 ? { name: 'an empty file', seconds: 0 } : unknown;
  // The beginning of each frame of MPEG's layers and ADTS: eleven bits, then version and layer.
  const sync = head.readUInt16BE(0);
  if ((sync & 0xfff6) === 0xfff0) return { name: 'an AAC file (ADTS)', seconds: null };
  if ((sync & 0xffe0) === 0xffe0 && (sync & 0x06) === 0x02) return { name: 'an MP3 file', seconds: null };
  return unknown;
}

/** The length of the data by the bytes a second. A header that was written before its data may say too much. */
function wavSeconds(head: Buffer, size: number): number | null {
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= head.length; ) {
    const length = head.readUInt32LE(at + 4);
    const name = head.toString('latin1', at, at + 4);
    if (name === 'fmt ' && at + 20 <= head.length) bytesPerSecond = head.readUInt32LE(at + 16);
    if (name === 'data')
      return bytesPerSecond > 0 ? Math.max(Math.min(length, size - at - 8), 0) / bytesPerSecond : null;
    at += 8 + length + (length % 2);
  }
  return null;
}

/** RFC 9639, 8.2: samples and their rate; 0 samples are an unknown number. */
function flacSeconds(head: Buffer): number | null {
  if (head.length < 26) return null;
  const packed = head.readBigUInt64BE(18);
  const [rate, samples] = [Number(packed >> 44n), Number(packed & 0xf_ffff_ffffn)];
  return rate > 0 && samples > 0 ? samples / rate : null;
}
