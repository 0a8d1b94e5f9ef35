/** Whether a file begins as a picture does that OpenAI takes: PNG, JPEG, WebP, and GIF, which it takes elsewhere. */
export function isPicture(file: Uint8Array): boolean {
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 12)).toString('latin1');
  return (
    head.startsWith('\x89PNG\r\n\x1a\n') ||
    head.startsWith('\xff\xd8\xff') ||
    head.startsWith('GIF8') ||
    (head.startsWith('RIFF') && head.startsWith('WEBP', 8))
  );
}
