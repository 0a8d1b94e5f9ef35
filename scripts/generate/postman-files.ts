/**
 * The files that forms of the collection send, inside the collection: a file with a path is on no computer but that of who wrote
 * it. Each is made of ASCII characters and as small as its kind can be.
 */
const files: Readonly<Record<string, { readonly contentType: string; readonly value: string }>> = {
  'requests.jsonl': {
    contentType: 'application/jsonl',
    value: `${JSON.stringify({
      custom_id: 'one',
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello!' }] },
    })}\n`,
  },
  // The beginning of a GIF of one pixel, whatever its name says, and that of an MP3 file.
  'yard.png': { contentType: 'image/gif', value: 'GIF89a\u0001\0\u0001\0\0\0\0;' },
  'recording.mp3': { contentType: 'audio/mpeg', value: 'ID3\u0004\0\0\0\0\0\0' },
};

/** A part of a form that is a file for the server, and a text for Postman. */
export function filePart(key: string, fileName: string) {
  const file = files[fileName];
  if (!file) throw new Error(`the example of a form has a file ${fileName}, which postman-files.ts lacks`);
  const description = 'A small file of the collection. For one of yours, choose the type File.';
  return { key, type: 'text', ...file, fileName, description };
}
