const vendor = 'Switchyard sandbox';
const entries = ['DESCRIPTION=Tones made up by the sandbox of Switchyard. No model spoke.'];

/** What a file says about itself, as the comments that FLAC and Opus share (https://xiph.org/vorbis/doc/v-comment.html). */
export function comments(): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(entries.length);
  return Buffer.concat([sized(vendor), count, ...entries.map(sized)]);
}

function sized(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}
