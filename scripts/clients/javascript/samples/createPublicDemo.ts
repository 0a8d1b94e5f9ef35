import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

for await (const event of switchyard.createPublicDemo({ body: { prompt: 'A to-do list for a family' } })) {
  console.log(event.type);
  if (event.type === 'job.succeeded') console.log(event.job.preview?.url);
}
