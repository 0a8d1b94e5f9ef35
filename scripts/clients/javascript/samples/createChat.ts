import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

// A conversation (variant A)
const answer = await switchyard.createChat({
  body: {
    model: 'sandbox',
    messages: [
      { role: 'system', content: 'You answer in one sentence.' },
      { role: 'user', content: 'Why is the sky blue?' },
    ],
    temperature: 0.7,
  },
});
console.log(answer.content, answer.usage.total_tokens);

// A single message (variant B), answered by the server's default model
const short = await switchyard.createChat({ body: { message: 'Why is the sky blue?' } });
console.log(short.model, short.content);
