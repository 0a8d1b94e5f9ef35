import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

// A feature of any name; the built-in ones have methods of their own, which know what they take and give.
const result = await switchyard.useFeature({
  path: { feature_id: 'keywords' },
  body: { input: { text: 'Solar panels turn sunlight into electricity.', limit: 2 } },
});
console.log(result.output);
