import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

const response = await fetch('http://127.0.0.1:8080/v1/chat/stream', {
  method: 'POST',
  headers: { authorization: `Bearer ${process.env.SWITCHYARD_API_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'sandbox/echo', message: 'Why is the sky blue?' }),
});
if (!response.ok) throw new Error((await response.json()).error.message);

let complete = false;
for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) {
  if (!line.startsWith('data: ')) continue;
  const event = JSON.parse(line.slice('data: '.length));
  if (event.type === 'delta') process.stdout.write(event.content);
  if (event.type === 'error') throw new Error(event.error.message);
  complete ||= event.type === 'end';
}
if (!complete) throw new Error('the stream broke off');
console.log();
