import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

const result = await switchyard.keywords({
  body: { input: { text: 'Solar panels turn sunlight into electricity.', limit: 2 } },
});
for (const { keyword, score } of result.output.keywords) console.log(keyword, score);
