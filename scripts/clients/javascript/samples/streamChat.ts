import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

for await (const event of switchyard.streamChat({ body: { message: 'Why is the sky blue?' } })) {
  if (event.type === 'delta') console.log(event.content);
  if (event.type === 'end') console.log(event.finish_reason, event.usage.total_tokens);
}
