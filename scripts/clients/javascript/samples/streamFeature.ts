import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

for await (const event of switchyard.streamFeature({
  path: { feature_id: 'summarize' },
  body: {
    input: {
      text: 'Solar panels turn sunlight into electricity. They work best at noon.',
      style: 'headline',
    },
  },
})) {
  if (event.type === 'delta') console.log(event.content);
  if (event.type === 'end') console.log(event.output);
}
